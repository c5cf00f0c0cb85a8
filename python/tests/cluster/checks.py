"""The data source on a cluster of two workers gives what the command line gives."""

import io
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pyarrow as pa
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import eco_openings as eco  # noqa: E402
from cluster import Cluster, Store  # noqa: E402
from conftest import FAMOUS, ROOT, eco_program, shared_games  # noqa: E402, F401
from eco_openings.spark import (  # noqa: E402
    POSITION_FIELDS,
    PgnSource,
    classify_moves,
    index_files,
    positions,
    tag_files,
)
from pyspark.sql import functions as F  # noqa: E402

FIELDS = ["white", "black", "result", "date", "eco", "opening", "ply", "transposed", "key", "error"]
FRAME = 1 << 20


def pack(pgn, path):
    """Writes frames, as pzstd does."""
    with open(path, "wb") as file:
        for at in range(0, len(pgn), FRAME):
            with eco.FrameWriter(file, level=1) as writer:
                writer.write(pgn[at : at + FRAME])


@pytest.fixture(scope="session")
def archives(tmp_path_factory):
    """All games: plain files in a folder, and the same in frames in another."""
    found = shared_games()
    if not found:
        print("SKIPPED: the shared games are missing; the checks read the games of the repository")
        found = [FAMOUS]
    plain, frames = tmp_path_factory.mktemp("plain"), tmp_path_factory.mktemp("frames")
    for path in found:
        pgn = path.read_bytes()
        if path.suffix == ".zst":
            pgn = unpacked(pgn)
        name = path.name.removesuffix(".zst")
        (plain / name).write_bytes(pgn)
        pack(pgn, frames / f"{name}.zst")
    return {"plain": plain, "frames": frames}


def unpacked(packed):
    output = io.BytesIO()
    eco.tag(packed, output, only="missing", select={"tag": {"Event": "no such"}})
    return output.getvalue()


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        cluster.add_worker()
        cluster.add_worker()
        yield cluster
    finally:
        cluster.stop()


@pytest.fixture(scope="session")
def spark(cluster):
    spark = cluster.session()
    spark.dataSource.register(PgnSource)
    yield spark
    spark.stop()


def tsv(value):
    if value is None:
        return ""
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def lines(rows, fields):
    """Rows as the command line writes them, in the order of source, part and offset."""
    rows = sorted(rows, key=lambda row: (row["source"], row["part"], row["offset"]))
    absent = {"ply": 0}
    return [
        "\t".join(tsv(absent.get(name) if row[name] is None else row[name]) for name in fields)
        for row in rows
    ]


def command_line(program, folder, fields):
    """The rows of the files of a folder, in the order of source and offset."""
    command = [program, "classify", folder, "--no-header", "-q", "--fields", ",".join(fields)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def expect(found, expected):
    assert len(found) == len(expected)
    for number, (one, other) in enumerate(zip(found, expected)):
        assert one == other, f"row {number}"


def load(spark, path, fields, **options):
    reader = spark.read.format("pgn").options(**options)
    return reader.option("fields", ",".join(["source", "part", "offset", *fields])).load(str(path))


def part_size(folder, parts):
    return -(-sum(path.stat().st_size for path in folder.iterdir()) // parts)


def test_the_recipe_of_a_dataset_writes_that_of_the_command_line(
    spark, archives, tmp_path, eco_program  # noqa: F811
):
    section = (ROOT / "docs/spark.md").read_text().split("## A dataset")[1]
    recipe = section.split("```python\n")[1].split("```")[0]
    # Spark resolves paths where it was started.
    recipe = recipe.replace('"archive/', f'"{archives["frames"]}/')
    exec(recipe.replace('"dataset"', f'"{tmp_path}/dataset"'), {"spark": spark})
    command = [eco_program, "classify", archives["frames"], "-q", "--partition-by", "year,eco_letter"]
    subprocess.run([*command, "--fields", "white,eco", "-o", tmp_path / "own"], check=True)

    def counts(folder):
        rows = spark.read.parquet(str(folder)).groupBy("year", "eco_letter", "white", "eco").count()
        return sorted(map(tuple, rows.collect()), key=repr)

    assert counts(tmp_path / "dataset") == counts(tmp_path / "own")


@pytest.mark.parametrize("kind", ["plain", "frames"])
@pytest.mark.parametrize("count", [1, 3, 16])
def test_rows_are_those_of_the_command_line(kind, count, spark, archives, eco_program):  # noqa: F811
    folder = archives[kind]
    # In compressed files an offset is that in the part.
    fields = ["source", "offset", *FIELDS] if kind == "plain" else ["source", *FIELDS]
    games = load(spark, folder, FIELDS, part_size=part_size(folder, count))
    partitions = games.rdd.getNumPartitions()
    assert partitions == 1 if count == 1 else partitions >= min(count, 3)
    print(f"\n{kind}: {partitions} partitions")
    expect(lines(games.collect(), fields), command_line(eco_program, folder, fields))


def test_a_worker_may_be_killed(spark, cluster, archives, eco_program):  # noqa: F811
    folder = archives["plain"]
    games = load(spark, folder, FIELDS, part_size=part_size(folder, 16))
    done = threading.Event()
    killed = []

    def kill():
        # In the middle: some tasks have ended, others run.
        tracker = spark.sparkContext.statusTracker()
        while not done.is_set():
            for job in tracker.getActiveJobsIds():
                for stage in getattr(tracker.getJobInfo(job), "stageIds", []):
                    info = tracker.getStageInfo(stage)
                    if info and info.numCompletedTasks >= 2 and info.numActiveTasks >= 1:
                        killed.append((info.numCompletedTasks, info.numTasks))
                        cluster.workers[-1].kill()
                        return
            time.sleep(0.01)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        rows = games.collect()
    finally:
        done.set()
        killer.join()
    assert killed, "the job ended before a worker could be killed"
    print(f"\nkilled a worker after {killed[0][0]} of {killed[0][1]} tasks")
    fields = ["source", "offset", *FIELDS]
    expect(lines(rows, fields), command_line(eco_program, folder, fields))
    cluster.add_worker()


@pytest.fixture(scope="session")
def store(tmp_path_factory):
    store = Store(tmp_path_factory.mktemp("store"))
    yield store
    store.stop()


def test_archives_in_s3_are_read(spark, store, archives, eco_program):  # noqa: F811
    import s3fs

    files = s3fs.S3FileSystem(**store.options)
    files.mkdir("games")
    for path in archives["frames"].iterdir():
        files.put(str(path), f"games/2026/{path.name}")
    options = {"storage_options": json.dumps(store.options)}
    size = part_size(archives["frames"], 8)
    games = load(spark, "s3://games/2026/*.pgn.zst", FIELDS, part_size=size, **options)
    assert games.rdd.getNumPartitions() >= 3
    rows = games.collect()
    assert all(row["source"].startswith("s3://games/2026/") for row in rows)
    expected = command_line(eco_program, archives["frames"], FIELDS)
    expect(lines(rows, FIELDS), expected)
    # And written there.
    path = min(archives["frames"].iterdir())
    (row,) = tag_files(
        spark, f"s3://games/2026/{path.name}", "s3://games/tagged", storage_options=store.options
    )
    output = io.BytesIO()
    eco.tag(path, output)
    assert unpacked(files.cat_file(row["path"])) == output.getvalue()
    assert files.find("games/tagged") == [row["path"].removeprefix("s3://")]


def test_only_the_columns_that_are_asked_for_are_read(spark):
    games = spark.read.format("pgn").schema("eco string, game bigint").load(str(FAMOUS))
    expected = eco.classify(FAMOUS, fields="eco,game").read_all().rows()
    assert [row.asDict() for row in games.collect()] == expected
    assert games.select("game").agg(F.sum("game")).first()[0] == 465
    selected = spark.read.format("pgn").option("eco", "C").option("fields", "eco").load(str(FAMOUS))
    expected = eco.classify(FAMOUS, fields="eco", select={"eco": "C"}).read_all().rows()
    assert [row.asDict() for row in selected.collect()] == expected and expected


def test_filters_of_a_query_select_games(spark):
    read = spark.read.format("pgn").option("fields", "white,eco,date").option("pushdown", "true")
    with pytest.raises(Exception, match="filterPushdown"):
        read.load(str(FAMOUS)).collect()
    conf = "spark.sql.python.filterPushdown.enabled"
    spark.conf.set(conf, "true")
    try:
        games = read.load(str(FAMOUS)).where("eco = 'C41' and date_from >= date'1851-01-01'")
        assert [row.white for row in games.collect()] == ["Morphy, Paul"]
    finally:
        spark.conf.unset(conf)


def test_what_is_wrong_is_said_before_the_job(spark, tmp_path):
    no_database = tmp_path / "no.db"
    no_database.write_bytes(b"no database")
    for options, path, reason in [
        ({}, tmp_path / "no.pgn", "no.pgn"),
        ({"fields": "openning"}, FAMOUS, "did you mean 'opening'"),
        ({"fields": ""}, FAMOUS, "fields names no column"),
        ({"fields": "eco,eco"}, FAMOUS, "the column eco twice"),
        ({"partSize": "1m"}, FAMOUS, "part_size"),
        ({"mode": "lenient"}, FAMOUS, "mode is failfast or permissive"),
        ({"playr": "Tal"}, FAMOUS, "did you mean player"),
        ({"part_size": "much"}, FAMOUS, "number of bytes"),
        ({"catalogue": str(tmp_path / "no such.db")}, FAMOUS, "no such.db"),
        ({"catalogue": str(no_database)}, FAMOUS, "no.db"),
    ]:
        with pytest.raises(Exception) as raised:
            spark.read.format("pgn").options(**options).load(str(path)).collect()
        assert reason in str(raised.value), (reason, str(raised.value)[-3000:])


def test_damage_ends_the_job_or_is_a_row(spark, cluster, tmp_path, archives, eco_program):  # noqa: F811
    pgn = FAMOUS.read_bytes() * 400
    path = tmp_path / "damaged.pgn.zst"
    pack(pgn, path)
    content = bytearray(path.read_bytes())
    cut = eco.parts(path, size=1)[2]
    for at in range(cut.offset + 5000, cut.offset + 5100):
        content[at] ^= 0x55
    path.write_bytes(content)
    with pytest.raises(Exception, match="damaged.pgn.zst: cannot be read beyond byte") as raised:
        load(spark, path, ["eco"], part_size=1).collect()
    offset = int(str(raised.value).split("cannot be read beyond byte ")[1].split(":")[0])
    assert cut.offset <= offset <= cut.offset + cut.length
    rows = load(spark, path, ["eco", "damage"], part_size=1, mode="permissive").collect()
    reasons = [row for row in rows if row["damage"]]
    assert {row["source"] for row in reasons} == {str(path)}
    assert f"cannot be read beyond byte {offset}" in reasons[0]["damage"]
    # All games but those of a frame.
    games = sum(not row["damage"] for row in rows)
    per_byte = 30 * 400 / len(pgn)
    assert 30 * 400 - 1.2 * FRAME * per_byte < games < 30 * 400
    load(spark, path, ["eco"], part_size=1, mode="permissive").collect()
    assert f"cannot be read beyond byte {offset}" in cluster.executor_logs()


@pytest.fixture
def own_catalogue(tmp_path, eco_program):  # noqa: F811
    master = tmp_path / "mine.tsv"
    master.write_text("eco\tname\tpgn\nA00\tMy Opening\t1. e4\nA01\tThe Other\t1. d4\n")
    db = tmp_path / "mine.db"
    subprocess.run([eco_program, "ingest", master, "--db", db, "-q"], check=True)
    return db


def test_a_catalogue_goes_to_the_workers(spark, own_catalogue, eco_program):  # noqa: F811
    games = load(spark, FAMOUS, ["opening"], catalogue=str(own_catalogue), part_size=3000)
    command = [eco_program, "classify", FAMOUS, "--catalogue", own_catalogue, "--fields", "opening", "-q"]
    expected = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = lines(games.collect(), ["opening"])
    expect(rows, expected.splitlines()[1:])
    # One that is too large is opened by the workers, who may not find it.
    os.truncate(own_catalogue, 65 << 20)
    moves = spark.createDataFrame([("1. e4",)], "moves string")
    named = moves.select(classify_moves("moves", catalogue=str(own_catalogue)).alias("o"))
    assert named.first()["o"]["opening"] == "My Opening"
    own_catalogue.unlink()
    with pytest.raises(Exception, match="mine.db"):
        named.collect()


def test_a_column_of_movetexts_is_named(spark, archives):
    texts = ["1. g3 f5 2. d4", None, "", "1. e4 c5 2. Nf3 d6"]
    data = spark.createDataFrame([(text,) for text in texts], "moves string")
    found = data.select(classify_moves("moves").alias("o")).collect()
    expected = eco.classify_moves(pa.array(texts)).to_list()
    assert [row["o"] and row["o"].asDict() for row in found] == expected
    games = load(spark, archives["plain"], ["moves", "eco", "tag:FEN", "tag:Variant"])
    games = games.where("moves is not null")
    named = classify_moves("moves", fen="`tag:FEN`", variant="`tag:Variant`")
    differing = games.where(~named["eco"].eqNullSafe(F.col("eco")))
    assert games.count() > 20 and differing.count() == 0


def test_positions_answer_as_the_explorer_does(spark, archives, tmp_path, eco_program):  # noqa: F811
    path = next(iter(sorted(archives["frames"].glob("otb*"))), FAMOUS)
    fields = ["white", "black", *POSITION_FIELDS.split(",")]
    games = load(spark, path, fields, part_size=1 << 20)
    # A collection has a game once, however often it is in the archive.
    games = games.dropDuplicates(fields)
    positions(games, depth=12).write.parquet(str(tmp_path / "positions"))
    table = spark.read.parquet(str(tmp_path / "positions"))
    subprocess.run([eco_program, "index", path, "--db", tmp_path / "g.db", "-q"], check=True)
    explorer = eco.Explorer(str(tmp_path / "g.db"))
    for fen in ["startpos", "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"]:
        counts = (
            table.where((F.col("key") == eco.position_hash(fen)) & F.col("last_visit"))
            .where("uci is not null and result is not null and not from_position")
            .groupBy("uci")
            .agg(
                F.count_if(F.col("result") == "1-0").alias("white"),
                F.count_if(F.col("result") == "1/2-1/2").alias("draws"),
                F.count_if(F.col("result") == "0-1").alias("black"),
            )
        )
        found = {row["uci"]: (row["white"], row["draws"], row["black"]) for row in counts.collect()}
        asked = None if fen == "startpos" else fen
        expected = explorer.query(asked).moves.rows()
        expected = {row["uci"]: (row["white"], row["draws"], row["black"]) for row in expected}
        assert found == expected and found, fen
    months = table.select("month").distinct().count()
    assert months > 5


def answers(db, count):
    """What a database says of positions that games reach, and of the games of a player."""
    explorer = eco.Explorer(db)
    lines = sorted({line for _, line in zip(range(40 * count), lines_of(db))})
    for line in lines[:: max(1, len(lines) // count)][:count]:
        found = explorer.query(line, games=10)
        yield line, found.white, found.draws, found.black, found.moves.rows(), found.games.rows()
    yield explorer.query(select={"rating": (2400, None)}).moves.rows()
    yield explorer.players("a", limit=50)


def lines_of(db):
    """The first moves of games from the initial position, a different number of each."""
    games = eco.classify(db, fields="moves,error,tag:FEN").read_all().rows()
    for number, row in enumerate(games):
        if row["moves"][:1].isalpha() and not (row["error"] or row["tag:FEN"]):
            yield " ".join(row["moves"].split()[: number % 24 + 2])


def test_an_index_of_parts_is_that_of_the_whole(spark, cluster, archives, tmp_path):
    whole, joined = tmp_path / "whole.db", tmp_path / "joined.db"
    expected = eco.index(archives["frames"], whole)
    size = part_size(archives["frames"], 16)
    counts = index_files(spark, str(archives["frames"]), str(joined), part_size=size)
    assert counts.asDict() == {name: getattr(expected, name) for name in counts.asDict()}
    found, wanted = list(answers(joined, 300)), list(answers(whole, 300))
    print(f"\n{counts.games} games, {len(wanted)} answers")
    assert found == wanted and (len(wanted) > 300 or counts.games < 1000)
    # Nothing is left but the database.
    assert sorted(path.name for path in tmp_path.iterdir()) == ["joined.db", "whole.db"]
    # Again: no game is new.
    again = index_files(spark, str(archives["plain"]), str(joined), part_size=4 * size)
    assert (again.added, again.known) == (0, again.games) and again.games == counts.games
    assert list(answers(joined, 300)) == wanted


def test_an_index_that_fails_leaves_nothing(spark, tmp_path):
    path, db = tmp_path / "damaged.pgn.zst", tmp_path / "games.db"
    pack(FAMOUS.read_bytes() * 400, path)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0x55
    path.write_bytes(content)
    for options, reason in [
        ({}, "cannot be read beyond byte"),
        ({"depth": 0}, "depth is a ply"),
        ({"select": {"playr": "Tal"}}, "did you mean player"),
        ({"catalogue": str(tmp_path / "no.tsv")}, "no.tsv"),
    ]:
        with pytest.raises(Exception, match=reason):
            index_files(spark, str(path), str(db), part_size=1, **options)
        assert [path.name for path in tmp_path.iterdir()] == ["damaged.pgn.zst"]


def test_an_index_of_a_store(spark, store, archives, tmp_path):
    import s3fs

    files = s3fs.S3FileSystem(**store.options)
    path = min(archives["frames"].iterdir())
    files.mkdir("indexed")
    files.put(str(path), f"indexed/{path.name}")
    whole, joined = tmp_path / "whole.db", tmp_path / "joined.db"
    expected = eco.index(path, whole)
    counts = index_files(
        spark,
        f"s3://indexed/{path.name}",
        str(joined),
        part_size=-(-path.stat().st_size // 3),
        folder="s3://indexed/parts",
        storage_options=store.options,
    )
    assert counts.added == expected.added
    assert list(answers(joined, 20)) == list(answers(whole, 20))
    assert files.find("indexed") == [f"indexed/{path.name}"]


def test_an_archive_that_cannot_be_tagged_whole_leaves_no_parts(spark, tmp_path):
    path = tmp_path / "damaged.pgn.zst"
    pack(FAMOUS.read_bytes() * 400, path)
    whole = path.read_bytes()
    content = bytearray(whole)
    cut = eco.parts(path, size=1)[1]
    for at in range(cut.offset + 5000, cut.offset + 5100):
        content[at] ^= 0x55
    path.write_bytes(content)
    tagged = tmp_path / "tagged"
    with pytest.raises(Exception, match="damaged.pgn.zst: cannot be read beyond byte"):
        tag_files(spark, str(path), str(tagged), part_size="1")
    assert not list(tagged.glob("*/*.pgn.zst"))
    path.write_bytes(whole)
    rows = tag_files(spark, str(path), str(tagged), part_size="1")
    assert [Path(row["path"]) for row in rows] == sorted(tagged.glob("*/*.pgn.zst"))


@pytest.mark.parametrize("kind", ["plain", "frames"])
def test_tagged_parts_are_the_tagged_archive(kind, spark, archives, tmp_path, eco_program):  # noqa: F811
    paths = sorted(archives[kind].iterdir())
    rows = tag_files(
        spark, [str(path) for path in paths], str(tmp_path / "tagged"), part_size=4 << 20
    )
    for path in paths:
        written = [Path(row["path"]) for row in rows if row["source"] == str(path)]
        assert written == sorted((tmp_path / "tagged" / path.name).iterdir())
        archive = b"".join(part.read_bytes() for part in written)
        command = [eco_program, "tag", path, "--frames", "-q", "-o", tmp_path / "expected.pgn.zst"]
        subprocess.run(command, check=True)
        expected = (tmp_path / "expected.pgn.zst").read_bytes()
        if len(written) == 1:
            assert archive == expected, path
        assert unpacked(archive) == unpacked(expected), path
    assert len(rows) > len(paths) or len(paths) == 1
    with pytest.raises(FileExistsError, match="files already"):
        tag_files(spark, str(paths[0]), str(tmp_path / "tagged"))
    with pytest.raises(TypeError, match="nope"):
        tag_files(spark, str(paths[0]), str(tmp_path / "other"), nope=1)
    shutil.rmtree(tmp_path / "tagged")
