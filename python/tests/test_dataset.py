"""Datasets, as the programs read them that they are for."""

import datetime
import subprocess
import sys

import pytest

import eco_openings as eco
from conftest import CLUB, FAMOUS
from test_parts import packed

pa = pytest.importorskip("pyarrow")
ds = pytest.importorskip("pyarrow.dataset")

FIELDS = "game,white,black,date,eco,opening,ply,transposed,white_elo,utc_start"

HOSTILE = ["a/b", "..", "x=y", "100% sure?", "C:\\\\x", "Łódź, Ёж", "a+b c", "{x}[y]^'#*", "end. ", "Tal", "TAL"]


def write(folder, games=FAMOUS, by=("year", "eco_letter"), **options):
    return eco.write_dataset(games, folder, partition_by=list(by), fields=FIELDS, **options)


def expected(games=FAMOUS, by=("year", "eco_letter")):
    return eco.classify(games, fields=f"{FIELDS},{','.join(by)}").read_all().rows()


def sorted_rows(rows):
    return sorted(rows, key=lambda row: row["game"])


def test_pyarrow_duckdb_and_polars_read_the_rows_of_the_file(tmp_path):
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    assert write(tmp_path / "set") == 30
    rows = sorted_rows(expected())
    table = ds.dataset(tmp_path / "set", partitioning="hive").to_table()
    assert sorted_rows(table.to_pylist()) == rows
    pattern = f"{tmp_path}/set/**/*.parquet"
    frame = polars.read_parquet(pattern, hive_partitioning=True)
    assert sorted_rows(frame.to_dicts()) == rows
    found = duckdb.sql(f"FROM read_parquet('{pattern}', hive_partitioning = true)")
    assert sorted_rows(found.to_arrow_table().to_pylist()) == rows
    # Only the folders that the query needs.
    query = f"EXPLAIN ANALYZE SELECT max(white) FROM '{pattern}' WHERE eco_letter = 'C' AND year = '1851'"
    (plan,) = duckdb.connect().execute(query).fetchall()
    files = len(list((tmp_path / "set").rglob("*.parquet")))
    assert f"Scanning Files: 1/{files}" in plan[1], plan[1]


def test_moments_are_timestamps_in_utc(tmp_path):
    path = tmp_path / "g.pgn"
    path.write_bytes(
        b'[UTCDate "2019.03.01"]\n[UTCTime "18:22:05"]\n\n1. e4 *\n\n'
        b'[UTCDate "2019.02.30"]\n[UTCTime "18:22:05"]\n\n1. e4 *\n\n[Date "2019.03.01"]\n\n1. e4 *\n'
    )
    write(tmp_path / "set", path, by=["month"])
    table = ds.dataset(tmp_path / "set", partitioning="hive").to_table().sort_by("game")
    assert table.schema.field("utc_start").type == pa.timestamp("us", tz="UTC")
    moment = datetime.datetime(2019, 3, 1, 18, 22, 5, tzinfo=datetime.timezone.utc)
    assert table["utc_start"].to_pylist() == [moment, None, None]
    assert table["month"].to_pylist() == ["2019-03", "2019-02", "2019-03"]


def test_hostile_values_are_read_back(tmp_path):
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    path = tmp_path / "g.pgn"
    games = [f'[Event "{name}"]\n\n1. e4 c5 *\n\n' for name in [*HOSTILE, ""]]
    path.write_text("".join(games) + "1. d4 *\n", encoding="utf-8")
    write(tmp_path / "set", path, by=["event"])
    names = {(row["game"], row["event"] or None) for row in expected(path, ["event"])}
    text = pa.schema([pa.field("event", pa.string())])
    partitioning = ds.partitioning(text, flavor="hive")
    table = ds.dataset(tmp_path / "set", partitioning=partitioning).to_table(["game", "event"])
    assert {(row["game"], row["event"]) for row in table.to_pylist()} == names
    pattern = f"{tmp_path}/set/**/*.parquet"
    found = duckdb.sql(f"SELECT game, event FROM read_parquet('{pattern}', hive_partitioning = true)")
    assert set(found.fetchall()) == names
    frame = polars.read_parquet(pattern, hive_partitioning=True).select("game", "event")
    assert set(frame.rows()) == names


def test_parts_and_repeated_runs_neither_lose_nor_double_a_game(tmp_path):
    folder = tmp_path / "set"
    for count in [3, 2, 1]:
        written = [write(folder, part) for part in eco.parts(FAMOUS, count=count)]
        assert sum(written) == 30
        assert ds.dataset(folder, partitioning="hive").count_rows() == 30
    assert write(folder, str(FAMOUS)) == 30
    assert write(folder, CLUB) > 0
    whole = eco.write_dataset([FAMOUS], folder, partition_by="result", fields="game")
    assert ds.dataset(folder).count_rows() == whole + len(expected(CLUB))


def test_the_program_and_the_package_replace_the_files_of_each_other(tmp_path, eco_program):
    folder = tmp_path / "set"
    write(folder)
    command = [eco_program, "classify", FAMOUS, "--partition-by", "result", "-q", "-o", folder]
    subprocess.run(command, check=True)
    assert ds.dataset(folder).count_rows() == 30
    (part, _) = eco.parts(FAMOUS, count=2)
    write(folder, part)
    command += ["--range", f"{part.offset}:{part.length}"]
    before = sorted(path.name.rsplit("-", 1)[0] for path in folder.rglob("*.parquet"))
    subprocess.run(command, check=True)
    after = sorted(path.name.rsplit("-", 1)[0] for path in folder.rglob("*.parquet"))
    assert set(before) == set(after)


KILLED = """
import os, sys, threading
import eco_openings as eco
threading.Timer(float(sys.argv[3]), lambda: os._exit(9)).start()
eco.write_dataset(sys.argv[1], sys.argv[2], partition_by=["year", "eco_letter"], fields=sys.argv[4])
os._exit(0)
"""


def test_a_killed_run_is_repeated(tmp_path, many_games):
    folder = tmp_path / "set"
    polars = pytest.importorskip("polars")
    write(folder)
    for pause in ["0.05", "0.2", "0.4", "60"]:
        command = [sys.executable, "-c", KILLED, many_games, folder, pause, FIELDS]
        subprocess.run(command, check=pause == "60")
        # What it leaves is nothing that readers take for a file.
        found = ds.dataset(folder, partitioning="hive").count_rows()
        assert polars.scan_parquet(f"{folder}/**/*.parquet").select(polars.len()).collect().item() == found
    assert ds.dataset(folder, partitioning="hive").count_rows() == 30 + 400 * 30
    assert not list(folder.glob(".*"))


def test_what_cannot_be_written_is_refused(tmp_path):
    for games in [FAMOUS.read_bytes(), FAMOUS.open("rb"), iter([str(FAMOUS)]), [b"1. e4 *"]]:
        with pytest.raises(eco.ArgumentError, match="named after their inputs"):
            write(tmp_path / "set", games)
    with pytest.raises(eco.FieldError, match="yeer"):
        write(tmp_path / "set", by=["yeer"])
    with pytest.raises(eco.ArgumentError, match="eval_book is no column to partition by"):
        write(tmp_path / "set", by=["eval_book"])
    with pytest.raises(eco.ArgumentError, match="rows_per_group"):
        write(tmp_path / "set", rows_per_group=0)
    path = tmp_path / "g.pgn"
    path.write_bytes(FAMOUS.read_bytes())
    with pytest.raises(eco.ArgumentError, match="is an input"):
        write(path, path)
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OSError, match="exists|directory"):
        write(tmp_path / "file")


def test_an_input_that_is_damaged_leaves_no_files(tmp_path):
    path = tmp_path / "g.pgn.zst"
    path.write_bytes(packed(FAMOUS.read_bytes())[:-200])
    with pytest.raises(eco.PgnError):
        write(tmp_path / "set", path)
    assert not list((tmp_path / "set").iterdir())
    assert write(tmp_path / "set", path, errors="skip") > 0
