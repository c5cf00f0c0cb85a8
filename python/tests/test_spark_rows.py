"""What the data source of Spark stands on, without Spark."""

import datetime
import io

import pytest

import eco_openings as eco
from conftest import CLUB, FAMOUS
from test_parts import packed

pa = pytest.importorskip("pyarrow")

from eco_openings import archives  # noqa: E402
from eco_openings.spark import _catalogue, _positions, _rows  # noqa: E402

FIELDS = ["source", "part", "offset", "date", "eco", "ply", "transposed", "damage"]


def read(part, fields=FIELDS, **options):
    batches = list(_rows.batches(part, _rows.schema_of(fields), **options))
    return pa.Table.from_batches(batches, _rows.schema_of(fields)).to_pylist()


def test_columns_have_types_that_spark_has():
    schema = _rows.schema_of(["game", "date", "eco", "ply", "transposed", "part", "damage", "tag:X"])
    assert {field.name: str(field.type) for field in schema} == {
        "game": "int64",
        "date": "string",
        "date_from": "date32[day]",
        "date_to": "date32[day]",
        "eco": "string",
        "ply": "int32",
        "transposed": "bool",
        "part": "int64",
        "damage": "string",
        "tag:X": "string",
    }
    with pytest.raises(eco.FieldError, match="opening"):
        _rows.schema_of(["openning"])


def test_rows_are_those_of_classify():
    (part,) = archives.parts(FAMOUS, size=1 << 20)
    found = read(part)
    expected = eco.classify(FAMOUS, fields="source,offset,date,eco,ply,transposed").read_all()
    assert found == [row | {"part": 0, "damage": None} for row in expected.rows()]
    assert found[0]["date_from"] == datetime.date(1620, 1, 1)
    only = _rows.schema_of(["eco"])
    assert [row["eco"] for row in found] == [
        name for batch in _rows.batches(part, only) for name in batch["eco"].to_pylist()
    ]


def damaged(tmp_path):
    content = bytearray(packed(FAMOUS.read_bytes()))
    part = eco.parts(io.BytesIO(content), size=1)[2]
    for at in range(part.offset + 40, part.offset + 60):
        content[at] ^= 0x55
    path = tmp_path / "damaged.pgn.zst"
    path.write_bytes(content)
    return archives.parts(path, size=1)


def test_damage_ends_the_job_or_is_a_row(tmp_path, capsys):
    parts = damaged(tmp_path)
    with pytest.raises(eco.PgnError, match="damaged.pgn.zst: cannot be read beyond byte"):
        [read(part) for part in parts]
    found = [row for part in parts for row in read(part, mode="permissive")]
    reasons = [row for row in found if row["damage"]]
    # Whoever reads into the damage says so: here the part before, whose last game ends there.
    (reason,) = reasons
    assert (reason["source"], reason["part"]) == (parts[1].path, parts[1].offset)
    assert reason["eco"] is None and "cannot be read beyond byte" in reason["damage"]
    games = [row["offset"] for row in found if not row["damage"]]
    assert 20 <= len(games) < 30
    assert "part " in capsys.readouterr().err
    # Without the column the reason is in the log alone.
    assert all(read(part, ["eco"], mode="permissive") is not None for part in parts)
    assert "cannot be read beyond byte" in capsys.readouterr().err


def test_archives_are_found_by_path_folder_and_pattern(tmp_path):
    for name in ["b.pgn", "a.pgn", "c.txt", "more/d.pgn.zst"]:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(CLUB.read_bytes())
    at = lambda *names: [str(tmp_path / name) for name in names]  # noqa: E731
    assert archives.find(tmp_path) == at("a.pgn", "b.pgn", "more/d.pgn.zst")
    assert archives.find(f"{tmp_path}/?.*") == at("a.pgn", "b.pgn", "c.txt")
    assert archives.find([f"file://{tmp_path}/c.txt", f"{tmp_path}/mor*"]) == at(
        "c.txt", "more/d.pgn.zst"
    )
    for missing in [f"{tmp_path}/no.pgn", f"{tmp_path}/*.gz"]:
        with pytest.raises(FileNotFoundError, match="no games there"):
            archives.find(missing)


def test_archives_are_read_where_fsspec_finds_them():
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe("/parts/games/famous.pgn.zst", packed(FAMOUS.read_bytes()))
    memory.pipe("/parts/games/club.pgn", CLUB.read_bytes())
    memory.pipe("/parts/games/notes.txt", b"")
    club, famous = (f"memory:///parts/games/{name}" for name in ["club.pgn", "famous.pgn.zst"])
    assert archives.find("memory://parts/games") == [club, famous]
    assert archives.find("memory://parts/games/*.zst") == [famous]
    parts = archives.parts("memory://parts/games", size=2000)
    assert {part.path for part in parts} == {club, famous} and len(parts) == 6
    fields = ["source", "eco", "ply"]
    found = [row for part in parts for row in read(part, fields)]
    expected = eco.classify([CLUB, FAMOUS], fields=fields).read_all().rows()
    assert [(row["eco"], row["ply"]) for row in found] == [
        (row["eco"], row["ply"]) for row in expected
    ]
    assert {row["source"] for row in found} == {club, famous}
    with pytest.raises(FileNotFoundError):
        archives.find("memory://parts/nowhere/games.pgn")


def test_small_parts_are_read_together():
    parts = [archives.ArchivePart(str(n), 0, length, "plain") for n, length in enumerate([5, 4, 3, 9, 1])]
    lengths = [[part.length for part in group] for group in archives.gather(parts, 9)]
    assert lengths == [[5, 4], [3], [9], [1]]
    assert archives.gather([], 9) == []
    assert [archives.read_size(text) for text in [7, "64m", "1KB", " 2g "]] == [7, 64 << 20, 1024, 2 << 30]
    for bad in ["", "0", "x", "1.5m", "-1"]:
        with pytest.raises(ValueError, match="number of bytes"):
            archives.read_size(bad)
    assert archives.parts(FAMOUS, size="4k") == archives.parts(FAMOUS, size=4096)


def test_columns_are_there_once():
    assert _rows.read_fields(" eco, ply,") == ["eco", "ply"]
    for nothing in ["", " , "]:
        with pytest.raises(ValueError, match="fields names no column"):
            _rows.read_fields(nothing)
    for fields in [["eco", "eco"], ["all", "white"], ["part", "eco", "part"]]:
        with pytest.raises(ValueError, match="twice"):
            _rows.schema_of(fields)


def test_unfinished_files_are_not_in_the_way(tmp_path):
    place = tmp_path / "tagged"
    assert not archives.has_files(str(place))
    place.mkdir()
    (place / "00000.pgn.zst.1.tmp").touch()
    assert not archives.has_files(str(place))
    (place / "00000.pgn.zst").touch()
    assert archives.has_files(str(place))
    archives.remove_unfinished(str(place))
    assert [path.name for path in place.iterdir()] == ["00000.pgn.zst"]


def test_a_catalogue_is_shipped_as_bytes(tmp_path, eco_program):
    import subprocess

    master = tmp_path / "mine.tsv"
    master.write_text("eco\tname\tpgn\nA00\tMy Opening\t1. c4\n")
    db = tmp_path / "mine.db"
    subprocess.run([eco_program, "ingest", master, "--db", db, "-q"], check=True)
    shipped = _catalogue.ship(str(db))
    openings = _catalogue.ship(str(master))
    db.unlink()
    master.unlink()
    for catalogue in [shipped, openings]:
        assert _catalogue.unpack(catalogue).classify_moves("1. c4").opening == "My Opening"
    assert _catalogue.unpack(openings).search("my")[0].master == "mine"
    assert _catalogue.unpack(shipped) is _catalogue.unpack(shipped)
    assert _catalogue.unpack(_catalogue.ship(None)) is None
    with pytest.raises(FileNotFoundError):
        _catalogue.ship(str(db))
    db.write_bytes(b"no database")
    with pytest.raises(eco.CatalogueError, match="mine.db") as raised:
        _catalogue.ship(str(db))
    assert str(raised.value).startswith(f"{db}: ")


def test_positions_have_ratings_and_months():
    games = pa.record_batch(
        {
            "id": [7, 8],
            "moves": ["e4 e5 1-0", "d4"],
            "result": ["1-0", "*"],
            "white_elo": ["2500", "?"],
            "black_elo": pa.array([None, 1800], pa.int16()),
            "date": ["2026.02.??", "????.??.??"],
        }
    )
    (found,) = _positions.rows(games, 50, ["id"])
    assert found.schema.names == ["id", *_positions.COLUMNS.names]
    found = found.to_pylist()
    assert [(row["id"], row["ply"], row["san"]) for row in found] == [
        (7, 0, "e4"), (7, 1, "e5"), (7, 2, None), (8, 0, "d4"), (8, 1, None),
    ]  # fmt: skip
    assert [(row["white_elo"], row["black_elo"], row["month"]) for row in found[2:4]] == [
        (2500, None, "2026-02"), (None, 1800, None),
    ]  # fmt: skip
    assert [row["result"] for row in found] == ["1-0"] * 3 + [None] * 2
    (alone,) = _positions.rows(games.select(["moves"]), 50)
    assert alone["month"].null_count == len(alone)
