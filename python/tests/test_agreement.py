"""Every field of every shared game, against the command line."""

import json
import subprocess

import pytest

import eco_openings as eco
from conftest import CLUB, FAMOUS, shared_games


def check(program, path, tmp_path):
    pl = pytest.importorskip("polars")
    output = tmp_path / "rows.tsv"
    command = [program, "classify", path, "--format", "tsv", "--fields", "all", "-o", output]
    subprocess.run(command, capture_output=True)
    expected = pl.read_csv(
        output, separator="\t", infer_schema=False, quote_char=None, null_values=[]
    ).fill_null("")
    # A file that is cut is read to its end, as the command line does.
    found = pl.DataFrame(eco.classify(path, fields="all", errors="skip"))
    assert found.height == expected.height > 0
    for name in expected.columns:
        # What a program that reads text gets for a number that is missing.
        absent = "0" if name in ("ply", "book_exit") else ""
        column = found[name]
        if column.dtype == pl.Float64:
            # Evaluations are whole centipawns.
            column = column.cast(pl.Int64)
        if isinstance(column.dtype, pl.Datetime):
            column = column.dt.strftime("%Y-%m-%dT%H:%M:%SZ")
        column = column.cast(pl.String).fill_null(absent)
        different = (column != expected[name]).arg_true()
        first = different[0] if len(different) else 0
        assert len(different) == 0, (path, name, first, column[first], expected[name][first])


@pytest.mark.parametrize("path", [FAMOUS, CLUB], ids=lambda path: path.name)
def test_rows_are_those_of_the_command_line(path, eco_program, tmp_path):
    check(eco_program, path, tmp_path)


def test_a_database_stands_for_its_games(eco_program, tmp_path):
    db = tmp_path / "two.db"
    for name, games in [("famous", FAMOUS), ("club", CLUB)]:
        index = [eco_program, "index", games, "--db", db, "--name", name, "-q"]
        subprocess.run(index, check=True)
    check(eco_program, db, tmp_path)
    club = eco.classify([FAMOUS, db], collection="club", fields="source,white").read_all().rows()
    assert [row["source"] for row in club] == [str(FAMOUS)] * 30 + [f"{db}/club"] * 20
    command = [eco_program, "stats", db, "--collection", "club", "--by", "eco", "-f", "jsonl"]
    rows = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    found = eco.stats(db, by="eco", collection=["club"]).rows()
    assert [(row["eco"], row["games"]) for row in found] == [
        (row["eco"], row["games"]) for row in map(json.loads, rows.splitlines())
    ]
    assert len(found) > 5
    # The index says which games are read; a player without such games is known all the same.
    fields = "game,white,black,eco"
    for chosen in [{"player": "Fischer, Robert James"}, {"since": "1990", "result": "1-0"}]:
        kept = eco.classify(db, collection="famous", fields=fields, select=chosen).read_all().rows()
        told = eco.classify(FAMOUS, fields=fields, select=chosen).read_all().rows()
        assert sorted(map(str, [{**row, "game": 0} for row in kept])) == sorted(
            map(str, [{**row, "game": 0} for row in told])
        )
        assert 0 < len(kept) < 30
    before = {"player": "Tal, Mikhail", "until": "1900"}
    assert eco.classify(db, collection="famous", select=before).read_all().rows() == []
    with pytest.raises(eco.SelectionError, match="no game has a player 'Tall, Mikhail'"):
        eco.classify(db, select={"player": "Tall, Mikhail"}).read_all()
    with pytest.raises(eco.FieldError, match="no input has a collection 'clubs'") as caught:
        eco.stats(db, collection="clubs")
    assert caught.value.suggestions == ["club"]
    with pytest.raises(eco.ArgumentError, match="tag reads PGN"):
        eco.tag(db, tmp_path / "tagged.pgn")


def test_rows_of_all_shared_games_are_those_of_the_command_line(eco_program, tmp_path):
    games = shared_games()
    if not games:
        pytest.skip("SKIPPED: the shared games are not there (../shared/games; ECO_SHARED_GAMES)")
    for path in games:
        check(eco_program, path, tmp_path)
