"""Parts of archives: listing and reading them, packing frames, positions of games."""

import doctest
import io
import subprocess

import pytest

import eco_openings as eco
from conftest import FAMOUS, ROOT, shared_games

FIELDS = "white,black,result,date,eco,opening,ply,transposed,error"


def rows(games, fields=FIELDS, **options):
    return eco.classify(games, fields=fields, **options).read_all().rows()


def packed(pgn, frame=3000):
    """An archive of frames, as pzstd writes it."""
    output = io.BytesIO()
    for at in range(0, len(pgn), frame):
        with eco.FrameWriter(output) as writer:
            writer.write(pgn[at : at + frame])
    return output.getvalue()


class Seekable:
    """A file of which only what is needed is there."""

    def __init__(self, content):
        self.file = io.BytesIO(content)
        self.reads = 0

    def seek(self, *args):
        return self.file.seek(*args)

    def read(self, size):
        self.reads += 1
        return self.file.read(size)


def test_the_games_of_the_parts_are_the_games_of_the_file(tmp_path):
    pgn = FAMOUS.read_bytes()
    expected = rows(pgn, "offset," + FIELDS)
    path = tmp_path / "famous.pgn"
    path.write_bytes(pgn)
    for size in [700, 4984, 10**9]:
        for file in [path, io.BytesIO(pgn), Seekable(pgn)]:
            listed = eco.parts(file, size=size)
            assert sum(part.length for part in listed) == len(pgn)
            assert {part.compression for part in listed} == {"plain"}
            found = [row for part in listed for row in rows(part, "offset," + FIELDS)]
            assert found == expected


def test_compressed_files_are_cut_at_frames(tmp_path):
    pgn = FAMOUS.read_bytes()
    path = tmp_path / "famous.pgn.zst"
    path.write_bytes(packed(pgn))
    for file in [path, io.BytesIO(path.read_bytes())]:
        listed = eco.parts(file, size=1)
        assert len(listed) == len(range(0, len(pgn), 3000))
        assert {part.compression for part in listed} == {"zstd"}
        assert [row for part in listed for row in rows(part)] == rows(pgn)
    by_blocks = eco.parts(io.BytesIO(path.read_bytes()), size=1, listing="blocks")
    assert [part.offset for part in by_blocks] == [part.offset for part in listed]


def test_parts_are_those_of_the_program(eco_program, tmp_path):
    path = tmp_path / "famous.pgn.zst"
    path.write_bytes(packed(FAMOUS.read_bytes()))
    for file in [FAMOUS, path]:
        command = [eco_program, "split", file, "--parts", "2k", "--no-header"]
        split = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        listed = eco.parts(file, size=2 << 10)
        found = [f"{p.path}\t{p.offset}\t{p.length}\t{p.compression}\n" for p in listed]
        assert "".join(found) == split


def test_what_an_object_raises_comes_through():
    class Failing(Seekable):
        def read(self, size):
            raise ConnectionError("the store is away")

    with pytest.raises(ConnectionError, match="away"):
        eco.parts(Failing(FAMOUS.read_bytes()), size=1000)
    with pytest.raises(ConnectionError, match="away"):
        rows(eco.Part(Failing(FAMOUS.read_bytes()), 1000, 2000))


def test_bad_parts_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError):
        rows(eco.Part(tmp_path / "no.pgn", 0, 10))
    with pytest.raises(FileNotFoundError):
        eco.parts(tmp_path / "no.pgn", size=10)
    for arguments in [{}, {"size": 0}, {"size": 1, "count": 1}]:
        with pytest.raises(TypeError, match="a size or a count"):
            eco.parts(FAMOUS, **arguments)
    with pytest.raises(ValueError, match="listing"):
        eco.parts(FAMOUS, size=10, listing="x")
    with pytest.raises(TypeError, match="seek and read"):
        eco.Part(7, 0, 10)
    with pytest.raises((eco.PgnError, OSError), match="no frame begins at byte 7"):
        rows(eco.Part(io.BytesIO(packed(FAMOUS.read_bytes())), 7, 100, name="famous"))


def test_damage_ends_a_part_with_the_offset_in_the_file(tmp_path):
    archive = bytearray(packed(FAMOUS.read_bytes()))
    listed = eco.parts(io.BytesIO(archive), size=1)
    damaged = listed[2]
    for at in range(damaged.offset + 40, damaged.offset + 60):
        archive[at] ^= 0x55
    path = tmp_path / "damaged.pgn.zst"
    path.write_bytes(archive)
    # Its second frame is damaged.
    part = eco.Part(path, listed[1].offset, listed[1].length + damaged.length)
    with pytest.raises(eco.PgnError) as raised:
        rows(part)
    assert raised.value.file == str(path)
    assert damaged.offset <= raised.value.offset <= damaged.offset + damaged.length
    reader = eco.classify(part, errors="skip")
    assert reader.read_all().rows()
    assert [str(error) for error in reader.errors] == [str(raised.value)]
    last = eco.Part(path, listed[-1].offset, listed[-1].length)
    assert rows(last) == rows(listed[-1])


def test_a_part_that_is_tagged_into_frames_is_what_the_program_writes(eco_program, tmp_path):
    expected = tmp_path / "tagged.pgn.zst"
    subprocess.run(
        [eco_program, "tag", FAMOUS, "--frames", "-q", "-o", expected], check=True
    )
    output = io.BytesIO()
    with eco.FrameWriter(output) as writer:
        eco.tag(eco.Part(FAMOUS, 0, FAMOUS.stat().st_size), writer)
    assert output.getvalue() == expected.read_bytes()


def test_frames_of_parts_are_one_archive():
    output = io.BytesIO()
    for part in eco.parts(FAMOUS, size=3000):
        with eco.FrameWriter(output, threads=2) as writer:
            eco.tag(part, writer)
    tagged = io.BytesIO()
    eco.tag(FAMOUS, tagged)
    # A selection of nothing copies.
    unpacked = io.BytesIO()
    eco.tag(output.getvalue(), unpacked, only="missing", select={"event": "none"})
    assert unpacked.getvalue() == tagged.getvalue()
    with pytest.raises(ValueError, match="closed"):
        writer.write(b"more")
    with pytest.raises(ValueError, match="1 to 9"):
        eco.FrameWriter(output, level=10)


def explored(program, pgn, folder, moves):
    """What the program counts: games by move and result."""
    db = folder / "games.db"
    if not db.exists():
        subprocess.run([program, "index", pgn, "--db", db, "-q"], check=True)
    found = eco.Explorer(str(db)).query(moves).moves.rows()
    return {row["uci"]: (row["white"], row["draws"], row["black"]) for row in found}


def counted(found, key):
    """The same of rows of positions."""
    counts = {}
    for row in found:
        if row["key"] != key or row["uci"] is None or row["from_position"]:
            continue
        if row["last_visit"] and row["result"]:
            results = counts.setdefault(row["uci"], [0, 0, 0])
            results[["1-0", "1/2-1/2", "0-1"].index(row["result"])] += 1
    return {uci: tuple(results) for uci, results in counts.items()}


@pytest.mark.parametrize("which", ["famous", "shared"])
def test_positions_are_counted_as_the_explorer_counts_them(which, eco_program, tmp_path):
    pa = pytest.importorskip("pyarrow")
    pgn = FAMOUS
    if which == "shared":
        found = [path for path in shared_games() if path.name == "otb.pgn.zst"]
        if not found:
            pytest.skip("SKIPPED: the shared games are missing")
        pgn = found[0]
    games = pa.table(eco.classify(pgn, fields="white,black,result,date,moves,tag:FEN,tag:Variant"))
    games = games.rename_columns({"tag:FEN": "fen", "tag:Variant": "variant"})
    columns = {name: games[name].cast(pa.string()) for name in ["white", "black", "date"]}
    more = ["result", "moves", "fen", "variant"]
    columns |= {name: games[name].cast(pa.string()) for name in more}
    # The explorer counts a game once, however often it is in the file.
    distinct = list(dict.fromkeys(zip(*(column.to_pylist() for column in columns.values()))))
    schema = pa.schema([(name, pa.string()) for name in columns])
    table = pa.table(dict(zip(columns, zip(*distinct))), schema=schema)
    batch = table.drop_columns(["white", "black", "date"]).combine_chunks().to_batches()[0]
    found = pa.record_batch(eco.positions(batch, depth=12)).to_pylist()
    fens = {
        "": "startpos",
        "e4 c5": "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "d4 Nf6 c4 e6": "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3",
    }
    for moves, fen in fens.items():
        expected = explored(eco_program, pgn, tmp_path, moves or None)
        assert counted(found, eco.position_hash(fen)) == expected, moves


def test_positions_and_moves_are_those_of_python_chess():
    chess = pytest.importorskip("chess")
    pa = pytest.importorskip("pyarrow")
    moves = [row["moves"] for row in rows(FAMOUS, "moves")]
    found = pa.record_batch(eco.positions(pa.record_batch({"moves": moves}), depth=200))
    at = 0
    found = found.to_pylist()
    for number, text in enumerate(moves):
        board, last = chess.Board(), None
        for ply, word in enumerate(text.split()):
            row = found[at]
            assert (row["game"], row["ply"]) == (number, ply)
            assert row["key"] == eco.position_hash(board.fen())
            if word in ("1-0", "0-1", "1/2-1/2", "*"):
                break
            move = board.parse_san(word)
            assert (row["uci"], row["san"]) == (move.uci(), board.san(move))
            board.push(move)
            at += 1
        assert (found[at]["uci"], found[at]["san"]) == (None, None)
        at += 1
    assert at == len(found)


def test_games_that_come_back_begin_elsewhere_or_are_of_other_variants():
    pa = pytest.importorskip("pyarrow")
    games = pa.record_batch(
        {
            "moves": ["Nf3 Nf6 Ng1 Ng8 e4 1-0", "Kd2 Kd7", "e4 e5", None, "e4 junk e5"],
            "result": [None, "1/2-1/2", "0-1", "1-0", "*"],
            "fen": [None, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", None, None, None],
            "variant": [None, "From Position", "Atomic", None, "Standard"],
        }
    )
    found = pa.record_batch(eco.positions(games)).to_pylist()
    by_game = {n: [row for row in found if row["game"] == n] for n in range(5)}
    assert [row["last_visit"] for row in by_game[0]] == [False, True, True, True, True, True]
    assert {row["result"] for row in by_game[0]} == {"1-0"}
    assert {row["from_position"] for row in by_game[1]} == {True} and len(by_game[1]) == 3
    assert by_game[2] == by_game[3] == []
    assert [row["uci"] for row in by_game[4]] == ["e2e4", None]
    short = pa.record_batch(eco.positions(games, depth=1)).to_pylist()
    assert [row["uci"] for row in short if row["game"] == 0] == ["g1f3", "g8f6"]
    with pytest.raises(ValueError, match="no column moves"):
        eco.positions(pa.record_batch({"x": ["e4"]}))
    with pytest.raises(TypeError, match="moves is Int64"):
        eco.positions(pa.record_batch({"moves": [1]}))


def test_the_examples_of_archives_run(monkeypatch):
    from eco_openings import archives

    monkeypatch.chdir(ROOT)
    found = doctest.testmod(archives)
    assert found.attempted >= 3 and found.failed == 0
