"""Paths as people give them, in every function that takes a file."""

import functools
import http.server
import shutil
import threading

import pytest

import eco_openings as eco
from conftest import CLUB, FAMOUS
from test_parts import packed


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A folder of archives, which is the home as well."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (tmp_path / "games").mkdir()
    shutil.copy(CLUB, tmp_path / "games" / "club.pgn")
    (tmp_path / "games" / "famous.pgn.zst").write_bytes(packed(FAMOUS.read_bytes()))
    (tmp_path / "games" / "mine.tsv").write_text("eco\tname\tpgn\nA00\tMy Opening\t1. c4\n")
    return tmp_path


@pytest.fixture
def store():
    """A store of fsspec with the same."""
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe("/there/club.pgn", CLUB.read_bytes())
    memory.pipe("/there/famous.pgn.zst", packed(FAMOUS.read_bytes()))
    memory.pipe("/there/mine.tsv", b"eco\tname\tpgn\nA00\tMy Opening\t1. c4\n")
    yield memory
    memory.rm("/there", recursive=True)


def count(games, **options):
    return len(eco.classify(games, fields="eco", **options).read_all())


def test_games_are_found_by_home_pattern_folder_and_url(home, store):
    both, famous = count([CLUB, FAMOUS]), 30
    for place in ["~/games", f"file://{home}/games", "memory://there"]:
        assert count(place) == both
        assert count(f"{place}/*.zst") == count(f"{place}/famous.pgn.zst") == famous
        assert count([f"{place}/club.pgn", f"{place}/f*"]) == both
        assert eco.stats(f"{place}/*.zst", by="eco").rows() == eco.stats(FAMOUS, by="eco").rows()
        parts = eco.parts(f"{place}/*.zst", size=1)
        assert len(parts) > 3 and sum(count(part) for part in parts) == famous
        part = eco.Part(f"{place}/famous.pgn.zst", parts[1].offset, parts[1].length)
        assert count(part) == count(parts[1]) and part.path == parts[1].path
    names = {row["source"] for row in eco.classify("memory://there/*.pgn", fields="source").read_all()}
    assert names == {"memory:///there/club.pgn"}


def test_addresses_of_the_web_are_read(home):
    pytest.importorskip("fsspec"), pytest.importorskip("aiohttp")
    handler = functools.partial(Quiet, directory=home / "games")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        try:
            assert count(f"{address}/famous.pgn.zst") == 30
            assert count(f"{address}/club.pgn?clocks=true&max=20") == 20
            with pytest.raises(FileNotFoundError):
                count(f"{address}/none.pgn")
        finally:
            server.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server that says nothing."""

    def log_message(self, *_):
        pass


def test_files_in_stores_are_read_again(store):
    reader = eco.classify("memory://there/famous.pgn.zst", fields="eco")
    assert len(reader.read_all()) == len(reader.read_all()) == 30


def test_catalogues_and_databases_are_found_the_same_way(home, store):
    for place in ["~/games", "memory://there"]:
        read = eco.Catalogue.read(f"{place}/mine.tsv")
        assert read.classify_moves("1. c4").opening == "My Opening"
        (row,) = eco.classify(b"1. c4 *", fields="opening", catalogue=f"{place}/mine.tsv").read_all()
        assert row == {"opening": "My Opening"}
    assert eco.index("~/games/*.zst", "~/games.db").added == 30
    assert count("~/games.db") == 30
    store.pipe("/there/games.db", (home / "games.db").read_bytes())
    for db in ["~/games.db", "memory://there/games.db"]:
        assert eco.Explorer(db).query("e4").white > 0
        assert len(eco.Catalogue.open(db)) > 3000
    with pytest.raises(eco.ArgumentError, match="written on this machine"):
        eco.index(FAMOUS, "memory://there/more.db")


def test_tagged_games_are_written_there(home, store):
    eco.tag("~/games/*.zst", "~/tagged.pgn")
    tagged = (home / "tagged.pgn").read_bytes()
    assert tagged.count(b"[ECO ") == 30
    eco.tag("memory://there/*.zst", "memory://there/tagged.pgn.gz")
    assert count("memory://there/tagged.pgn.gz") == 30
    with store.open("/there/tagged.pgn.gz") as file:
        assert file.read(2) == b"\x1f\x8b"
    # Of what cannot be finished, nothing is left.
    with pytest.raises(eco.PgnError):
        eco.tag([FAMOUS, b"no game"], "memory://there/half.pgn")
    assert not store.exists("/there/half.pgn")


def test_what_stands_for_nothing_says_so(home, store):
    for missing in ["~/none.pgn", "~/games/*.gz", "memory://there/none.pgn", "memory://there/*.gz"]:
        for read in [count, lambda path: eco.parts(path, size=1), eco.stats]:
            with pytest.raises(FileNotFoundError):
                read(missing)
    # A file may have such a name itself.
    shutil.copy(FAMOUS, home / "games[1].pgn")
    assert count("~/games[1].pgn") == 30
