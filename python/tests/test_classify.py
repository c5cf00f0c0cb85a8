"""Archives: what they are read from, how rows come, what is raised."""

import datetime
import gc
import gzip
import io
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path

import pytest

import eco_openings as eco
from conftest import CLUB, FAMOUS, forked

FIELDS = "game,white,eco,opening,ply,transposed"


def rows(games, **options):
    return eco.classify(games, **{"fields": FIELDS, **options}).read_all().rows()


def test_the_default_columns_are_those_of_the_command_line():
    reader = eco.classify(FAMOUS)
    columns = ["source", "game", "white", "black", "result", "date", "date_from", "date_to"]
    assert reader.columns == [*columns, "eco", "opening", "ply", "transposed", "error"]
    first = reader.read_all().rows()[0]
    assert first["source"] == str(FAMOUS) and first["date"] == "1620.??.??"
    assert (first["eco"], first["ply"], first["transposed"]) == ("B00", 10, False)
    assert first["date_from"].isoformat() == "1620-01-01" and first["error"] is None


@pytest.mark.parametrize("kind", ["str", "path", "bytes", "bytearray", "memoryview", "gzip", "zip"])
def test_games_come_from_paths_and_bytes(kind, tmp_path):
    pgn = FAMOUS.read_bytes()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("famous.pgn", pgn)
    games = {
        "str": str(FAMOUS),
        "path": FAMOUS,
        "bytes": pgn,
        "bytearray": bytearray(pgn),
        "memoryview": memoryview(pgn),
        "gzip": gzip.compress(pgn),
        "zip": packed.getvalue(),
    }
    assert rows(games[kind]) == rows([FAMOUS])


def test_games_come_from_files_and_iterators():
    pgn, expected = FAMOUS.read_bytes(), rows(FAMOUS)
    assert rows(io.BytesIO(pgn)) == expected
    assert rows(io.BytesIO(gzip.compress(pgn))) == expected
    with open(FAMOUS, "rb") as file:
        assert rows(file) == expected
    with open(FAMOUS, encoding="utf-8") as file:
        assert rows(file) == expected
    assert rows(io.StringIO(pgn.decode())) == expected
    parts = [pgn[at : at + 777] for at in range(0, len(pgn), 777)]
    assert rows(part for part in parts) == expected
    assert rows(iter([b"", *parts, b""])) == expected
    assert rows(iter([])) == [] and rows(b"") == [] and rows([]) == []
    with open(FAMOUS, "rb") as file:
        assert eco.classify(file, fields="source").read_all().rows()[0]["source"] == str(FAMOUS)


def test_games_come_from_fsspec():
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe("/games/famous.pgn.gz", gzip.compress(FAMOUS.read_bytes()))
    with fsspec.open("memory://games/famous.pgn.gz", "rb") as file:
        assert rows(file) == rows(FAMOUS)


def test_several_inputs_and_folders_are_read_in_order(tmp_path):
    (tmp_path / "b.pgn").write_bytes(CLUB.read_bytes())
    (tmp_path / "a.pgn.gz").write_bytes(gzip.compress(FAMOUS.read_bytes()))
    assert rows(tmp_path) == rows([FAMOUS, CLUB]) == rows([FAMOUS, io.BytesIO(CLUB.read_bytes())])
    assert rows(path for path in [FAMOUS, CLUB]) == rows([FAMOUS, CLUB])


def test_any_number_of_threads_gives_the_same_rows(many_games):
    expected = rows(many_games, threads=1)
    assert len(expected) == 12_000 and [row["game"] for row in expected] == list(range(1, 12_001))
    for threads in [2, 5]:
        assert rows(many_games, threads=threads) == expected
    found = []
    readers = [threading.Thread(target=lambda: found.append(rows(many_games))) for _ in range(4)]
    for thread in readers:
        thread.start()
    for thread in readers:
        thread.join()
    assert found == [expected] * 4


def test_files_can_be_read_again_and_objects_once():
    reader = eco.classify(FAMOUS, fields="eco")
    assert reader.read_all().rows() == reader.read_all().rows()
    reader = eco.classify(io.BytesIO(FAMOUS.read_bytes()), fields="eco")
    assert len(reader.read_all()) == 30
    with pytest.raises(ValueError, match="was read already"):
        reader.read_all()


def test_fields_are_chosen_and_wrong_ones_offer_the_right_ones():
    reader = eco.classify(FAMOUS, fields=["eco", "tag:Event", "white_elo"])
    assert reader.columns == ["eco", "tag:Event", "white_elo"]
    assert len(eco.classify(FAMOUS, fields="all").columns) > 30
    with pytest.raises(eco.FieldError, match="did you mean tag:Annotator"):
        eco.classify(FAMOUS, fields="Annotator")
    with pytest.raises(eco.FieldError, match=r"\(did you mean 'opening'\?\); there are .* all$") as raised:
        eco.classify(FAMOUS, fields=["eco", "openning"])
    assert raised.value.name == "openning"
    assert raised.value.suggestions == ["opening", "opening_en"]
    with pytest.raises(ValueError, match="named twice"):
        eco.classify(FAMOUS, fields="eco,eco")


@pytest.mark.parametrize(
    ("select", "count"),
    [
        ({}, 30),
        ({"player": "Garry Kasparov"}, None),
        ({"player": ["Kasparov, Garry", "Robert James Fischer"], "color": "white"}, None),
        ({"eco": "B00-B99", "result": ["1-0", "0-1"]}, None),
        ({"opening": "najdorf"}, None),
        ({"since": "1990", "until": "1999-12-31"}, None),
        ({"game": (3, 7)}, 5),
        ({"game": [3, "5-6"]}, 3),
        ({"tag": {"Round": "?"}}, None),
        ({"min_plies": 60}, None),
        ({"rated": None}, 30),
        ({"position": "d4 Nf6 c4", "not": {"opening": "kings indian"}}, 3),
        ({"position": "najdorf", "from_position": True}, None),
        ({"material": ["KRP*vKRP*", "KQvKR"], "lasting": 2}, 1),
        ({"player": "Garry Kasparov", "against": "Veselin Topalov"}, 1),
        ({"player": "Garry Kasparov", "not": {"color": "white"}}, None),
    ],
)
def test_a_selection_is_that_of_the_command_line(select, count, eco_program):
    flags = []
    for name, value in select.items():
        values = value if isinstance(value, list) else [value]
        for value in values:
            if isinstance(value, tuple):
                value = "-".join(map(str, value))
            if isinstance(value, dict):
                value = "=".join(*value.items())
            if value is not None:
                flags += [f"--{name.replace('_', '-')}", str(value)]
    command = [eco_program, "classify", FAMOUS, "--format", "tsv", "--fields", "game", *flags]
    done = subprocess.run(command, capture_output=True, text=True)
    expected = done.stdout.split()[1:]
    found = [str(row["game"]) for row in rows(FAMOUS, fields="game", select=select)]
    assert found == expected, done.stderr
    assert count is None or count == len(found)


def test_values_of_conditions_may_be_those_of_python():
    def games(**select):
        return [row["game"] for row in rows(FAMOUS, fields="game", select=select)]

    sites = {row["site"] for row in rows(FAMOUS, fields="site")} - {None, "", "?"}
    first, second, *_ = sorted(sites)
    both = games(tag=[f"Site={first}", f"Site={second}"])
    assert games(tag={"Site": [first, second]}) == both
    assert len(both) == len(games(tag={"Site": first})) + len(games(tag={"Site": second}))
    assert len(games(tag={"Nothing": None})) == 30
    since = games(since="1990-05-13")
    assert 0 < len(since) < 30
    for day in [datetime.date(1990, 5, 13), datetime.datetime(1990, 5, 13, 12, 30)]:
        assert games(since=day) == since
    rated = games(rating=(2500, None))
    assert games(rating=[2500, None]) == rated == games(rating="2500..")
    rest = [game for game in range(1, 31) if game not in rated]
    assert games(**{"not": {"rating": (2500, None)}}) == rest
    few = games(**{"not": {"min_plies": 60, "since": datetime.date(1990, 1, 1)}})
    assert few == games(until="1989", **{"not": {"min_plies": "60"}}) != []
    assert games(game=[3, 7]) == [3, 7] and games(game=(3, 7)) == [3, 4, 5, 6, 7]


def test_a_selection_that_is_wrong_says_how():
    with pytest.raises(eco.SelectionError, match="did you mean player") as raised:
        eco.classify(FAMOUS, select={"plaer": "Tal"})
    assert "rating_of" in str(raised.value)
    assert (raised.value.name, raised.value.suggestions) == ("plaer", ["player"])
    with pytest.raises(eco.SelectionError, match="expected white or black") as raised:
        eco.classify(FAMOUS, select={"player": "Tal", "color": "red"})
    assert raised.value.name == "color"
    assert raised.value.suggestions == []
    with pytest.raises(eco.SelectionError, match="did you mean min_plies"):
        eco.classify(FAMOUS, select={"not": {"min_ply": 3}})
    for select, text in [
        ({"rating_of": "player"}, "rating_of: goes with rating"),
        ({"min_plies": "many"}, "min_plies: "),
        ({"structure": "8/8", "lasting": 2}, "structure: expected the pawns of eight ranks"),
        ({"rating": [2000, 2200, 2400]}, "rating: expected a pair"),
        ({"since": ["2020", "2021"]}, "since: expected one value"),
        ({"tag": {"Round": []}}, "tag: no value for Round"),
    ]:
        with pytest.raises(eco.SelectionError, match=text):
            eco.classify(FAMOUS, select=select)
    for select, text in [
        ({"player": b"Tal"}, r"player: expected a text \(str\), not b'Tal'"),
        ({"player": ["Tal", None]}, "player: expected a text"),
        ({"player": True}, "player: expected a text"),
        ({"tag": {"Round": b"1"}}, "tag: expected a text"),
        ({"game": slice(1, 7)}, r"game: expected a pair, such as \(7, 12\)"),
        ({"min_plies": 20.0}, r"min_plies: expected a whole number \(int\), not 20.0"),
    ]:
        with pytest.raises(TypeError, match=text):
            eco.classify(FAMOUS, select=select)
    with pytest.raises(TypeError, match="select is a dict"):
        eco.classify(FAMOUS, select="Tal")


PROGRAM = b"\x7fELF\x02\x01\x01" + bytes(9) + b"1. e4 e5 2. Nf3 *\n" * 200
PNG = b"\x89PNG\r\n\x1a\n" + bytes(100)


@pytest.mark.parametrize(
    ("binary", "what"),
    [
        (PROGRAM, "a program"),
        (gzip.compress(PROGRAM), "a program"),
        (PNG, "an image"),
        (Path("/bin/ls"), "a program"),
    ],
    ids=["program", "packed program", "image", "/bin/ls"],
)
@pytest.mark.parametrize("kind", ["path", "bytes", "object", "iterator"])
def test_a_file_that_is_not_pgn_is_refused_however_it_is_read(binary, what, kind, tmp_path):
    if isinstance(binary, Path):
        if sys.platform != "linux" or not binary.exists():
            pytest.skip(f"SKIPPED: there is no {binary} here")
        binary = binary.read_bytes()
    path = tmp_path / "games.pgn"
    path.write_bytes(binary)

    def games():
        return {
            "path": path,
            "bytes": binary,
            "object": io.BytesIO(binary),
            "iterator": iter([binary[:5], binary[5:]]),
        }[kind]

    name = str(path) if kind == "path" else "-"
    for read in [
        lambda: eco.classify(games()).read_all(),
        lambda: eco.stats(games()),
        lambda: eco.tag(games(), io.BytesIO()),
    ]:
        with pytest.raises(eco.PgnError, match=f"this is {what}, not PGN") as raised:
            read()
        assert (raised.value.file, raised.value.game) == (name, None)
    reader = eco.classify([path, FAMOUS], fields=FIELDS, errors="skip")
    assert reader.read_all().rows() == rows(FAMOUS)
    assert [str(error) for error in reader.errors] == [f"{path}: this is {what}, not PGN"]


def test_what_is_no_input_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError) as raised:
        eco.classify(tmp_path / "none.pgn")
    assert raised.value.filename == str(tmp_path / "none.pgn")
    with pytest.raises(eco.PgnError, match="no .* file in this folder") as raised:
        eco.classify(tmp_path)
    assert raised.value.file == str(tmp_path)
    with pytest.raises(TypeError, match="expected paths, bytes"):
        eco.classify(7)
    with pytest.raises(ValueError, match="pass PGN as bytes"):
        eco.classify("1. e4 e5\n2. Nf3 *\n")
    with pytest.raises(ValueError, match="threads begin with 1"):
        eco.classify(FAMOUS, threads=0)
    with pytest.raises(eco.PgnError, match="no game in it"):
        rows(b"hello, this is no PGN")


def damaged():
    pgn = FAMOUS.read_bytes() * 50
    packed = gzip.compress(pgn, mtime=0)
    return packed[: len(packed) // 2]


def test_damage_raises_after_the_games_before_it(tmp_path):
    path = tmp_path / "damaged.pgn.gz"
    path.write_bytes(damaged())
    reader = eco.classify(path, fields="game")
    found = 0
    with pytest.raises(eco.PgnError, match="cannot be read beyond byte") as raised:
        for batch in reader:
            found += len(batch)
    assert 0 < found < 1500
    assert raised.value.file == str(path) and 0 < raised.value.offset <= path.stat().st_size
    # The game that was cut is the one after those that were read.
    assert raised.value.game == found + 1 and raised.value.move is None
    assert isinstance(reader.error, eco.PgnError) and str(reader.error) == str(raised.value)
    with pytest.raises(eco.PgnError):
        reader.read_all()


def test_damage_can_be_skipped(tmp_path):
    path = tmp_path / "damaged.pgn.gz"
    path.write_bytes(damaged())
    reader = eco.classify([path, FAMOUS], fields="source,game", errors="skip")
    sources = [row["source"] for row in reader.read_all().rows()]
    assert sources[-30:] == [str(FAMOUS)] * 30 and len(sources) > 30
    (error,) = reader.errors
    assert isinstance(error, eco.PgnError) and error.file == str(path) and reader.error is None
    assert error.game == len(sources) - 30 + 1
    for work in [lambda: eco.stats(path), lambda: eco.tag(path, io.BytesIO())]:
        with pytest.raises(eco.PgnError) as raised:
            work()
        assert (raised.value.file, raised.value.game) == (str(path), error.game)
    with pytest.raises(eco.FieldError, match="'raise' or 'skip'"):
        eco.classify(path, errors="ignore")


def test_a_game_with_an_error_raises_where_that_is_asked_for(tmp_path):
    path = tmp_path / "slip.pgn"
    slip = b'[White "A"]\n\n1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd5 *\n\n'
    good = b'[White "B"]\n\n1. e4 e5 *\n\n'
    path.write_bytes(good * 2000 + slip + good + slip)
    assert len(rows(path)) == 2003
    reader, found = eco.classify(path, fields="game", strict=True), 0
    with pytest.raises(eco.PgnError) as raised:
        for batch in reader:
            found += len(batch)
    error = raised.value
    assert (found, error.file, error.game, error.move) == (2000, str(path), 2001, "4. Nxd5")
    assert str(error) == f"{path}: game 2001, move 4. Nxd5: illegal" and error.offset is None
    reader = eco.classify([path, path], fields="game", strict=True, errors="skip", threads=2)
    assert len(reader.read_all()) == 4006
    assert [error.game for error in reader.errors] == [2001, 2003] * 2
    assert rows(path, select={"game": "1-2000"}, strict=True) == rows(good * 2000)


class Broken(io.RawIOBase):
    """A file that fails after some games."""

    def __init__(self, error):
        self.parts = [FAMOUS.read_bytes()] * 20
        self.error = error

    def read(self, size=-1):
        if not self.parts:
            raise self.error
        return self.parts.pop()


def test_exceptions_of_an_input_are_raised_as_they_are():
    for error in [ConnectionError("gone"), KeyError("nothing")]:
        with pytest.raises(type(error)) as raised:
            rows(Broken(error))
        assert raised.value is error

    def parts():
        yield FAMOUS.read_bytes()
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        rows(parts())

    def wrong():
        yield FAMOUS.read_bytes()
        yield 7

    with pytest.raises(TypeError, match="expected bytes"):
        rows(wrong())


def test_rows_come_as_they_are_asked_for():
    pgn, taken = FAMOUS.read_bytes(), 0

    def endless():
        nonlocal taken
        while True:
            taken += 1
            yield pgn

    batches = iter(eco.classify(endless(), fields="game", threads=2))
    assert sum(len(next(batches)) for _ in range(3)) > 0
    del batches
    gc.collect()
    time.sleep(0.3)
    before = taken
    time.sleep(0.3)
    # The run ends when nobody wants it; and it never was far ahead.
    assert taken == before and taken * len(pgn) < 64 << 20


def test_progress_is_reported(capsys):
    calls = []
    eco.classify(FAMOUS, progress=lambda *call: calls.append(call)).read_all()
    size = FAMOUS.stat().st_size
    assert calls[-1] == (30, size, size, True)
    eco.classify(FAMOUS, progress=True).read_all()
    assert capsys.readouterr().err.endswith("30 games, 0.0 MB (100 %)\n")

    def stop(*_):
        raise StopIteration("enough")

    with pytest.raises(StopIteration, match="enough"):
        eco.classify(FAMOUS, progress=stop).read_all()


INTERRUPTED = """
import sys, threading, os, signal, time
import eco_openings as eco
pgn = open(sys.argv[1], "rb").read()
# A shell that runs the tests in the background has told them to ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)
def endless():
    while True:
        yield pgn
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
try:
    {work}
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - start < 20)
except BaseException as error:
    try:
        time.sleep(1)
        print("another", type(error), error)
    except KeyboardInterrupt:
        print("interrupted", time.monotonic() - start < 20)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
@pytest.mark.parametrize(
    "work",
    [
        "for batch in eco.classify(endless()): pass",
        "eco.classify(endless(), select={'player': 'Nobody At All'}).read_all()",
        "import polars; polars.DataFrame(eco.classify(endless(), select={'player': 'Nobody'}))",
        "import pyarrow; pyarrow.table(eco.classify(endless(), select={'player': 'Nobody'}))",
        "eco.stats(endless())",
        "eco.tag(endless(), '/dev/null') if False else eco.tag(endless(), open(os.devnull, 'wb'))",
    ],
)
def test_the_keyboard_interrupts(work):
    code = INTERRUPTED.format(work=work)
    done = subprocess.run(
        [sys.executable, "-c", code, str(FAMOUS)], capture_output=True, text=True, timeout=120
    )
    assert done.stdout == "interrupted True\n", done.stderr
    assert done.returncode == 0, done.stderr


def test_a_program_that_ends_early_ends():
    code = """
import sys, time
import eco_openings as eco
pgn = open(sys.argv[1], "rb").read()
def endless():
    while True:
        yield pgn
batches = iter(eco.classify(endless()))
next(batches)
"""
    for _ in range(5):
        done = subprocess.run(
            [sys.executable, "-c", code, str(FAMOUS)], capture_output=True, text=True, timeout=60
        )
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
@pytest.mark.parametrize(
    ("before", "work", "answer"),
    [
        ("batches = iter(eco.classify(path)); next(batches)", "next(batches)", "reading"),
        ("batches = iter(eco.classify(path)); next(batches)", "del batches", "done"),
        ("batches = iter(eco.classify(path))", "next(batches)", "done"),
        ("reader = eco.classify(path); next(iter(reader))", "reader.read_all()", "done"),
        ("writer = eco.FrameWriter(io.BytesIO()); writer.write(bytes(9 << 20))",
         "writer.write(b' ')", "writer"),
        ("writer = eco.FrameWriter(io.BytesIO()); writer.write(bytes(9 << 20))",
         "writer.close()", "writer"),
        # The exception that ends a block is the one that is raised.
        ("writer = eco.FrameWriter(io.BytesIO()); writer.write(bytes(9 << 20))",
         "with writer: raise RuntimeError('done')", "done"),
    ],
)
def test_what_a_forked_process_cannot_go_on_with_raises(before, work, answer, many_games):
    said = forked(many_games, before, work)
    if answer == "done":
        assert said == "done\n"
    else:
        assert said.startswith(f"this {answer} belongs to another process") and "spawn" in said


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="reads /proc")
def test_nothing_leaks_over_200_calls():
    pa = pytest.importorskip("pyarrow")
    pgn = FAMOUS.read_bytes() * 20
    moves = pa.array(["1. e4 c5 2. Nf3", None] * 5000)

    def call():
        pa.table(eco.classify(pgn, fields="all", threads=2))
        next(iter(eco.classify(io.BytesIO(pgn))))
        pa.array(eco.classify_moves(moves))
        eco.stats(pgn, by="eco").rows()
        eco.Catalogue.builtin().lookup("e4 c5")

    for _ in range(30):
        call()
    gc.collect()
    before = resident()
    for _ in range(200):
        call()
    gc.collect()
    grown = resident() - before
    # A leak of one table alone would be 200 MB.
    assert grown < 24 << 20, f"{grown / 2**20:.1f} MiB more"
