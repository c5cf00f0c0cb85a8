"""Statistics, tags, and the explorer, against the command line."""

import csv
import gzip
import io
import os
import shutil
import subprocess
import threading

import pytest

import eco_openings as eco
from conftest import CLUB, FAMOUS, ROOT, forked


def run(program, *arguments, **options):
    command = [program, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=True, **options).stdout


def tsv(program, *arguments):
    text = run(program, *arguments, "--format", "tsv").decode()
    return list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))


def same(rows, expected):
    """Whether rows are those of the command line; numbers by value, and dates as dates besides."""
    assert len(rows) == len(expected)
    for row, wanted in zip(rows, expected):
        assert [name for name in row if name in wanted] == list(wanted)
        assert all(name.endswith(("_from", "_to")) for name in row.keys() - wanted.keys())
        for name, text in wanted.items():
            value = row[name]
            if isinstance(value, bool):
                assert text == str(value).lower(), name
            elif isinstance(value, (int, float)):
                assert float(text) == pytest.approx(value), name
            else:
                assert text == ("" if value is None else str(value)), name


@pytest.mark.parametrize(
    ("options", "flags"),
    [
        ({}, []),
        ({"select": {"player": "Garry Kasparov"}}, ["--player", "Garry Kasparov"]),
        ({"by": "family", "limit": 3}, ["--by", "family", "--limit", 3]),
        ({"by": "family", "limit": 0}, ["--by", "family"]),
        ({"by": "year,volume", "limit": 1, "totals": True, "min_games": 2},
         ["--by", "year,volume", "--limit", 1, "--totals", "--min-games", 2]),
        ({"by": ["color", "eco"], "select": {"player": "Garry Kasparov"}},
         ["--by", "color,eco", "--player", "Garry Kasparov"]),
        ({"by": "year", "sort": "year", "min_games": 1}, ["--by", "year", "--sort", "year"]),
        ({"by": "tag:Event", "sort": "score"}, ["--by", "tag:Event", "--sort", "score"]),
        ({"by": "rating_gap"}, ["--by", "rating-gap"]),
    ],
)
def test_statistics_are_those_of_the_command_line(options, flags, eco_program):
    for games in [FAMOUS, CLUB]:
        if games == CLUB and "select" in options:
            continue
        same(eco.stats(games, **options).rows(), tsv(eco_program, "stats", games, *flags))


@pytest.mark.parametrize("flag", ["strengths", "weaknesses"])
@pytest.mark.parametrize(
    ("options", "flags"),
    [
        ({}, []),
        ({"select": {"player": "Lind, Vera"}}, ["--player", "Lind, Vera"]),
        ({"by": ["family", "hour"], "limit": 1, "select": {"player": "Lind, Vera"}},
         ["--by", "family,hour", "--limit", 1, "--player", "Lind, Vera"]),
        ({"by": "variation", "select": {"player": "Lind, Vera", "color": "black"}},
         ["--by", "variation", "--player", "Lind, Vera", "--color", "black"]),
    ],
)
def test_strengths_and_weaknesses_are_those_of_the_command_line(
    flag, options, flags, eco_program, tmp_path
):
    awk = shutil.which("awk") or pytest.skip("SKIPPED: awk makes the games, and is missing")
    games = tmp_path / "season.pgn"
    openings = sorted((ROOT / "data/openings").glob("*.tsv"))
    games.write_bytes(run(awk, "-f", ROOT / "data/games/season.awk", *openings))
    found = eco.stats(games, **options, **{flag: True}).rows()
    same(found, tsv(eco_program, "stats", games, f"--{flag}", *flags))
    # The season is made so that there are some, but no strength smaller than a family.
    assert found or (flag == "strengths" and options.get("by") == "variation")


def test_wrong_names_in_statistics_are_refused():
    with pytest.raises(eco.FieldError, match="did you mean 'opening'") as raised:
        eco.stats(FAMOUS, by="openning")
    assert str(raised.value).count("did you mean") == 1
    assert raised.value.suggestions == ["opening"]
    with pytest.raises(ValueError, match="color is no strength or weakness"):
        eco.stats(FAMOUS, by="color", strengths=True)
    for options in [{"weaknesses": True}, {"sort": "games"}, {"min_games": 2}, {"totals": True}]:
        with pytest.raises(ValueError, match="go neither together"):
            eco.stats(FAMOUS, strengths=True, **options)
    with pytest.raises(ValueError, match="at most two"):
        eco.stats(FAMOUS, by="eco,year,player")
    with pytest.raises(ValueError, match="named twice"):
        eco.stats(FAMOUS, by="eco,eco")
    with pytest.raises(eco.FieldError, match="popularity"):
        eco.stats(FAMOUS, sort="popularity")
    with pytest.raises(eco.FieldError, match="did you mean 'score'") as raised:
        eco.stats(FAMOUS, sort="scor")
    assert "score" in raised.value.suggestions
    for options in [{"limit": -1}, {"min_games": -1}, {"threads": -1}, {"threads": 0}]:
        with pytest.raises(eco.ArgumentError, match="begin"):
            eco.stats(FAMOUS, **options)


def test_tags_keep_their_names_in_statistics():
    pgn = b'[White_Team "Reykjavik"]\n\n1. e4 *\n'
    table = eco.stats(pgn, by="tag:White_Team")
    assert "Reykjavik" in [row["tag:White_Team"] for row in table.rows()]
    assert eco.stats(pgn, by="rating_gap").columns == eco.stats(pgn, by="rating-gap").columns


@pytest.mark.parametrize(
    ("options", "flags"),
    [
        ({}, []),
        ({"names": "split", "add": ["source", "move-order"]},
         ["--names", "split", "--add", "source,move-order"]),
        ({"add": "code:ScidECO"}, ["--add", "code:ScidECO"]),
        ({"only": "missing"}, ["--only", "missing"]),
        ({"strip": True}, ["--strip"]),
        ({"strip": "all"}, ["--strip=all"]),
        ({"strip": "unknown", "names": "split"}, ["--strip=unknown", "--names", "split"]),
        ({"select": {"player": "Robert James Fischer"}}, ["--player", "Robert James Fischer"]),
    ],
)
def test_tagged_games_are_those_of_the_command_line(options, flags, eco_program, tmp_path):
    expected = run(eco_program, "tag", FAMOUS, *flags)
    output = io.BytesIO()
    tagged = eco.tag(FAMOUS, output, **options)
    assert output.getvalue() == expected
    assert tagged.games in (30, tagged.changed + tagged.correct + tagged.excluded)
    path = tmp_path / "tagged.pgn"
    assert eco.tag(FAMOUS, path, **options) == tagged and path.read_bytes() == expected


def test_tagged_files_are_compressed_and_whole(tmp_path):
    path = tmp_path / "tagged.pgn.zst"
    assert eco.tag(FAMOUS, path).games == 30
    assert path.read_bytes()[:4] == b"\x28\xb5\x2f\xfd"
    assert len(eco.classify(path).read_all()) == 30
    before = path.read_bytes()

    def broken():
        yield FAMOUS.read_bytes() * 100
        raise LookupError("no more")

    with pytest.raises(LookupError):
        eco.tag(broken(), path)
    assert path.read_bytes() == before and [p.name for p in tmp_path.iterdir()] == [path.name]
    with pytest.raises(eco.ArgumentError, match="is an input too"):
        eco.tag(path, path, names="split")
    assert path.read_bytes() == before
    with pytest.raises(eco.FieldError, match="did you mean split"):
        eco.tag(FAMOUS, path, names="spilt")
    with pytest.raises(eco.FieldError, match="add has source, move-order or code:TAG, not 'mark'"):
        eco.tag(FAMOUS, path, add="mark")
    for options in [{"names": "full"}, {"only": "all"}, {"add": "source"}]:
        with pytest.raises(eco.ArgumentError, match="strip sets no tags"):
            eco.tag(FAMOUS, path, strip=True, **options)
    with pytest.raises(FileNotFoundError):
        eco.tag(FAMOUS, tmp_path / "none" / "tagged.pgn")

    class Full:
        def write(self, _):
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        eco.tag(FAMOUS, Full())


def test_no_output_destroys_what_it_is_not(tmp_path):
    games, db = tmp_path / "games.pgn", tmp_path / "games.db"
    games.write_bytes(FAMOUS.read_bytes())
    db.write_bytes(b"SQLite format 3\0" + bytes(100))
    for path, match in [(db, "is a database; nothing was written"), (games, "is an input too")]:
        before = path.read_bytes()
        with pytest.raises(eco.ArgumentError, match=match):
            eco.tag(games, path)
        with open(games, "rb") as file, pytest.raises(eco.ArgumentError, match=match):
            eco.tag([eco.Part(games, 0, 100), file], path)
        assert path.read_bytes() == before
    protected = tmp_path / "protected.pgn"
    protected.write_text("mine")
    protected.chmod(0o444)
    if not os.access(protected, os.W_OK):  # root may write to it
        with pytest.raises(PermissionError):
            eco.tag(games, protected)
    kept = tmp_path / "kept.pgn"
    kept.write_text("old")
    kept.chmod(0o640)
    link = tmp_path / "link.pgn"
    link.symlink_to(kept)
    eco.tag(games, link)
    assert link.is_symlink() and kept.stat().st_mode & 0o777 == 0o640
    assert kept.stat().st_size > games.stat().st_size


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_pipes_and_devices_are_written_to(tmp_path):
    pipe = tmp_path / "pipe.pgn"
    os.mkfifo(pipe)
    expected = io.BytesIO()
    tagged = eco.tag(FAMOUS, expected)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    assert eco.tag(FAMOUS, pipe) == tagged
    reader.join()
    assert read == [expected.getvalue()] and pipe.is_fifo()
    assert repr(tagged).startswith("Tagged(games=30, changed=30, correct=0, ")


def test_files_of_fsspec_are_opened(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    games = fsspec.open(FAMOUS)
    assert len(eco.classify(games, fields="eco").read_all()) == 30
    output = io.BytesIO()
    tagged = eco.tag(FAMOUS, output)
    path = tmp_path / "tagged.pgn"
    assert eco.tag(games, fsspec.open(path, "wb")) == tagged
    assert path.read_bytes() == output.getvalue()


def test_old_mac_line_ends_stay(tmp_path):
    pgn = FAMOUS.read_bytes().replace(b"\n", b"\r")
    output = io.BytesIO()
    assert eco.tag(pgn, output).changed == 30
    assert b"\n" not in output.getvalue()


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("player", "Bobby Fisher"),
        ("player", "nobody"),
        ("player", ["Paul Morphy", "Spasky, Boris", "Bobby Fisher"]),
        ("against", "Bobby Fisher"),
        ("opening", "xyzzy"),
    ],
)
def test_who_and_what_no_game_has_is_the_error_of_the_command_line(
    flag, value, eco_program, tmp_path
):
    values = [value] if isinstance(value, str) else value
    flags = [word for value in values for word in (f"--{flag}", value)]
    db = tmp_path / "games.db"
    run(eco_program, "index", FAMOUS, "--db", db, "--quiet")
    select, explorer = {flag: value}, eco.Explorer(db)
    for command, options, answer in [
        ("classify", [FAMOUS], lambda: eco.classify(FAMOUS, select=select).read_all()),
        ("stats", [FAMOUS], lambda: eco.stats(FAMOUS, select=select)),
        ("tag", [FAMOUS], lambda: eco.tag(FAMOUS, tmp_path / "tagged.pgn", select=select)),
        ("explore", ["--db", db], lambda: explorer.query(select=select)),
    ]:
        given = [eco_program, command, *map(str, options), *flags]
        done = subprocess.run(given, capture_output=True, text=True)
        assert done.returncode == 2, command
        with pytest.raises(eco.SelectionError) as raised:
            answer()
        assert str(raised.value) in done.stderr, command
        assert all(f"'{near}'" in done.stderr for near in raised.value.suggestions)
        assert raised.value.name == {"against": "player"}.get(flag, flag)
        assert bool(raised.value.suggestions) == ("nearest" in done.stderr)
    assert not (tmp_path / "tagged.pgn").exists()


def test_slips_in_openings_are_corrected_and_said(eco_program, tmp_path):
    run(eco_program, "index", FAMOUS, "--db", tmp_path / "games.db", "--quiet")
    explorer = eco.Explorer(tmp_path / "games.db")
    with pytest.warns(UserWarning, match="the nearest: 'Sicilian'"):
        found = eco.classify(FAMOUS, select={"opening": "sicillian"}).read_all()
    assert len(found) == len(eco.classify(FAMOUS, select={"opening": "sicilian"}).read_all()) > 0
    with pytest.raises(eco.FenError, match="the nearest: 'Najdorf'"):
        eco.key("najdorff")
    with pytest.warns(UserWarning, match="the nearest: 'Philidor'"):
        corrected = repr(explorer.query("phillidor"))
    assert corrected == repr(explorer.query("philidor")) != "Explored(0 games, 0 moves)"
    with pytest.raises(eco.SelectionError) as raised:
        eco.classify(FAMOUS, select={"opening": "qzxv"}).read_all()
    assert raised.value.name == "opening" and raised.value.suggestions == []


def test_who_is_in_another_part_or_in_what_cannot_be_read_is_not_unknown(tmp_path):
    select = {"player": "Garry Kasparov"}
    parts = eco.parts(FAMOUS, count=4)
    found = [len(eco.classify(part, select=select).read_all()) for part in parts]
    assert 0 in found and sum(found) == len(eco.classify(FAMOUS, select=select).read_all())
    damaged = gzip.compress(FAMOUS.read_bytes())[:-2000]
    reader = eco.classify(damaged, select={"player": "nobody"}, errors="skip")
    assert reader.read_all().rows() == [] and len(reader.errors) == 1
    assert eco.classify(b"", select={"player": "nobody"}).read_all().rows() == []


def test_positions_are_explored_as_the_command_line_does(eco_program, tmp_path):
    db = tmp_path / "games.db"
    run(eco_program, "index", FAMOUS, CLUB, "--db", db, "--quiet")
    explorer = eco.Explorer(db)
    line = ["e4", "e5"]
    explored = explorer.query(" ".join(line))
    assert explored.opening.opening == "King's Pawn Game"
    same(explored.moves.rows(), tsv(eco_program, "explore", *line, "--db", db))
    lists = [row["list"] for row in explored.games.rows()]
    # A game that is in both lists is shown once.
    assert lists.count("top") == 4 and 1 <= lists.count("recent") <= 4
    for options, flags in [
        ({"games": 2}, ["--games", 2]),
        ({"games": 0, "sort": "date"}, ["--games", "--sort", "date"]),
        ({"games": 3, "sort": "rating"}, ["--games", 3, "--sort", "rating"]),
    ]:
        found = explorer.query("e4 e5", **options).games.rows()
        same(found, tsv(eco_program, "explore", *line, "--db", db, *flags))
    few = explorer.query("open game", limit=2).moves.rows()
    same(few, tsv(eco_program, "explore", "open", "game", "--db", db, "--limit", 2))
    assert explored.white + explored.draws + explored.black == sum(
        row["games"] for row in explored.moves.rows()
    )
    again = explorer.query(explored.key)
    assert again.moves.rows() == explored.moves.rows() == explorer.query(line).moves.rows()
    few = explorer.query(select={"player": "Paul Morphy", "color": "white"})
    flags = ["--db", db, "--player", "Paul Morphy", "--color", "white"]
    same(few.moves.rows(), tsv(eco_program, "explore", *flags))
    assert explorer.players("morphy")[0][0].startswith("Morphy")
    assert explorer.query().white > few.white
    with pytest.raises(eco.MoveError) as raised:
        explorer.query("e4 e9")
    assert raised.value.move == "1... e9"
    with pytest.raises(eco.SelectionError, match="game: the games of a collection have no num") as raised:
        explorer.query(select={"game": 1})
    assert raised.value.name == "game"
    for name in ["games", "limit"]:
        with pytest.raises(eco.ArgumentError, match=f"{name} begins with 0, not -1"):
            explorer.query(**{name: -1})
    with pytest.raises(eco.FieldError, match="sort is one of rating, date, not 'score'"):
        explorer.query(sort="score")
    if hasattr(os, "fork"):
        said = forked(db, "explorer = eco.Explorer(path); explorer.query()", "explorer.query()")
        assert said.startswith("this Explorer belongs to another process")
        assert forked(db, "eco.Explorer(path).query()", "eco.Explorer(path).query()") == "done\n"
    assert eco.Explorer(db, "games").query("e4 e5").moves.rows() == explored.moves.rows()
    with pytest.raises(FileNotFoundError) as raised:
        eco.Explorer(tmp_path / "none.db")
    assert raised.value.filename == str(tmp_path / "none.db")
    assert "os error" not in str(raised.value)
    openings = tmp_path / "own.tsv"
    openings.write_text("eco\tname\tpgn\nA00\tMine\t1. a3 h6\n")
    run(eco_program, "ingest", openings, "--db", tmp_path / "own.db")
    with pytest.raises(eco.DatabaseError, match="has no collection of games; `eco index"):
        eco.Explorer(tmp_path / "own.db")
    with pytest.raises(eco.DatabaseError):
        eco.Explorer(db, ["none"])


def explored(db, **options):
    found = eco.Explorer(db).query(**options)
    return found.white, found.draws, found.black, found.moves.rows(), found.games.rows()


def test_games_are_indexed_as_by_the_command_line(eco_program, tmp_path):
    one, other, parts = tmp_path / "one.db", tmp_path / "other.db", []
    run(eco_program, "index", FAMOUS, CLUB, "--db", one, "--quiet")
    indexed = eco.index([FAMOUS, CLUB], other)
    assert indexed.added == indexed.games - indexed.known > 30 and indexed.depth == 50
    run(eco_program, "db", "verify", "--db", other)
    for line in ["startpos", "1. e4", "1. d4 Nf6 2. c4"]:
        assert explored(one, position=line) == explored(other, position=line)
    # Again: nothing is new.
    again = eco.index(FAMOUS, other)
    assert (again.games, again.added, again.known) == (30, 0, 30)
    # Parts, on machines of their own, become one database.
    for number, part in enumerate(eco.parts([FAMOUS, CLUB], size=4000)):
        parts.append(tmp_path / f"{number}.db")
        eco.index(part, parts[-1])
    joined = eco.index(parts, tmp_path / "joined.db")
    assert joined == indexed
    assert explored(one) == explored(tmp_path / "joined.db")
    # Some games of a collection are another one, and so are those of another depth.
    drawn = eco.index(one, tmp_path / "drawn.db", name="drawn", select={"result": "1/2-1/2"}, depth=20)
    assert 0 < drawn.added < drawn.games == indexed.added and drawn.depth == 20
    assert eco.Explorer(tmp_path / "drawn.db", "drawn").query().white == 0
    deep = eco.index(tmp_path / "drawn.db", one, name="deep", depth=60)
    assert deep.added == drawn.added


def test_what_cannot_be_indexed_is_said_and_changes_nothing(tmp_path):
    db = tmp_path / "games.db"
    for options, error, text in [
        ({"depth": 0}, eco.ArgumentError, "depth is a ply from 1 to 1000"),
        ({"depth": -1}, eco.ArgumentError, "depth begins with 0, not -1"),
        ({"same_game": "most"}, eco.FieldError, "same_game is one of strict, moves"),
        ({"select": {"player": "Nobody, At All"}}, eco.SelectionError, "Nobody, At All"),
        ({"name": " "}, eco.ArgumentError, "name: expected a name without"),
    ]:
        with pytest.raises(error, match=text):
            eco.index(FAMOUS, db, **options)
        assert not db.exists()
    assert eco.index(b"", db).games == 0 and not db.exists()
    broken = tmp_path / "broken.pgn.gz"
    broken.write_bytes(gzip.compress(FAMOUS.read_bytes())[:-500])
    with pytest.raises(eco.PgnError, match="cannot be read beyond byte"):
        eco.index([FAMOUS, broken], db)
    assert not db.exists()
    eco.index(FAMOUS, db)
    before = db.read_bytes()
    with pytest.raises(eco.ArgumentError, match="is an input too; nothing was written"):
        eco.index(db, db)
    with pytest.raises(eco.DatabaseError, match="50"):
        eco.index(CLUB, db, depth=40)
    other = tmp_path / "other.db"
    other.write_bytes(b"no database")
    with pytest.raises(eco.DatabaseError, match="other.db"):
        eco.index(FAMOUS, other)
    assert db.read_bytes() == before and other.read_bytes() == b"no database"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.pgn.gz", "games.db", "other.db"]
