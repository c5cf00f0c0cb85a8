"""Round trips into the libraries that take Arrow, and columns of movetexts."""

import datetime

import pytest

import eco_openings as eco
from conftest import FAMOUS, shared_games

MOVES = ["1. g3 f5 2. d4", None, "", "1. e4 c5 2. Nf3 {comment} d6 *", "e2e4 e7e5 Ke3", "nothing"]
NAMES = ["A81", None, None, "B50", "C20", None]


def expected():
    return eco.classify(FAMOUS, fields="all").read_all().rows()


def test_pyarrow_takes_readers_tables_batches_and_arrays():
    pa = pytest.importorskip("pyarrow")
    reader = eco.classify(FAMOUS, fields="all")
    assert pa.table(reader).to_pylist() == expected()
    assert pa.table(reader.read_all()).to_pylist() == expected()
    assert [row for b in reader for row in pa.record_batch(b).to_pylist()] == expected()
    assert pa.RecordBatchReader.from_stream(reader).read_all().num_rows == 30
    schema = pa.schema(reader)
    assert schema.field("game").type == pa.uint64() and schema.field("ply").type == pa.uint16()
    assert schema.field("transposed").type == pa.bool_()
    assert schema.field("date_from").type == pa.date32()
    assert schema.metadata[b"eco.catalogue"].startswith(b"lichess")


def test_polars_takes_readers_and_tables():
    pl = pytest.importorskip("polars")
    reader = eco.classify(FAMOUS, fields="all")
    assert pl.DataFrame(reader).to_dicts() == expected()
    assert pl.DataFrame(reader.read_all()).to_dicts() == expected()
    frames = pl.concat([pl.DataFrame(batch) for batch in reader])
    assert frames.to_dicts() == expected()


def test_pandas_takes_readers():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame.from_arrow(eco.classify(FAMOUS))
    assert list(frame["eco"][:2]) == ["B00", "C41"] and len(frame) == 30
    assert frame["date_from"][2] in (datetime.date(1851, 6, 21), pd.Timestamp("1851-06-21"))


def test_duckdb_takes_readers_and_tables():
    duckdb = pytest.importorskip("duckdb")
    reader = eco.classify(FAMOUS)
    everything = reader.read_all()
    for name in ["reader", "everything"]:
        counted = duckdb.sql(f"select count(*), count(distinct eco), min(date_from) from {name}")
        first = datetime.date(1620, 1, 1)
        assert counted.fetchall() == [(30, len({row["eco"] for row in expected()}), first)]
    assert duckdb.sql("from reader where opening like 'Sicilian%'").fetchall()
    assert len(everything) == 30


def test_errors_reach_the_libraries_and_stay_with_the_reader(tmp_path):
    pa, pl = pytest.importorskip("pyarrow"), pytest.importorskip("polars")

    def broken():
        yield FAMOUS.read_bytes()
        raise LookupError("no\0more")

    reader = eco.classify(broken())
    with pytest.raises(Exception, match="no.more"):
        pl.DataFrame(reader)
    assert isinstance(reader.error, LookupError)
    path = tmp_path / "text.pgn"
    path.write_text("no game")
    reader = eco.classify(path)
    with pytest.raises(OSError, match="PgnError: .*text.pgn: no game in it"):
        pa.table(reader)
    assert reader.error.file == str(path)


def ecos(array):
    return [value and value["eco"] for value in array]


def test_movetexts_of_every_kind_are_named():
    pa = pytest.importorskip("pyarrow")
    types = [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary()]
    catalogue = eco.Catalogue.builtin()
    for kind in types:
        array = pa.array(MOVES).cast(kind) if kind != pa.string_view() else pa.array(MOVES, kind)
        named = eco.classify_moves(array)
        assert ecos(named.to_list()) == NAMES, kind
        assert ecos(pa.array(named).to_pylist()) == NAMES, kind
        chunks = pa.chunked_array([array[:2], array[2:], array[:0]])
        assert ecos(eco.classify_moves(chunks).to_list()) == NAMES, kind
    for kind in [pa.int8(), pa.int32(), pa.uint64()]:
        named = eco.classify_moves(pa.array(MOVES).dictionary_encode().cast(pa.dictionary(kind, pa.string())))
        assert ecos(named.to_list()) == NAMES, kind
    for moves, row in zip(MOVES, eco.classify_moves(pa.array(MOVES)).to_list()):
        if moves is None:
            assert row is None
            continue
        verdict = catalogue.classify_moves(moves)
        assert row == {name: getattr(verdict, name) for name in row}
    assert len(eco.classify_moves(pa.array([], pa.string()))) == 0
    assert eco.classify_moves(pa.nulls(3)).to_list() == [None] * 3
    named = eco.classify_moves(pa.array(MOVES))
    assert list(named) == named.to_list()


FROM = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
# Movetext, FEN, Variant.
STARTS = [
    ("1. e4 c5 *", None, None),
    ("2. Nf3 d6 *", FROM, None),
    ("2. Nf3 d6 *", FROM, "From Position"),
    ("2. Nf3 d6 *", None, None),
    ("1. e4 c5 *", None, "Standard"),
    ("1. e4 c5 *", None, "Atomic"),
    ("1. e4 c5 *", FROM, "Chess960"),
    ("2. Nf3 d6 *", "no position", None),
    ("1. e4 Ke6 *", None, None),
]
NAMED = ["eco", "opening", "ply", "transposed", "error"]
# What classify reads of a game, and what it answers.
ROW = ["moves", "tag:FEN", "tag:Variant", *NAMED]


def made_games(folder):
    path = folder / "starts.pgn"
    with open(path, "w") as file:
        for moves, fen, variant in STARTS:
            tags = [("Event", "?"), ("FEN", fen), ("Variant", variant)]
            lines = [f'[{name} "{value}"]\n' for name, value in tags if value is not None]
            file.write("".join(lines) + f"\n{moves}\n\n")
    return path


@pytest.mark.parametrize("games", ["made", *(shared_games() or [None])], ids=str)
def test_movetexts_with_their_tags_are_named_as_games(games, tmp_path):
    pa = pytest.importorskip("pyarrow")
    if games is None:
        pytest.skip("SKIPPED: the public game records are not there")
    path = made_games(tmp_path) if games == "made" else games
    table = pa.table(eco.classify(path, fields=ROW, errors="skip"))
    moves, fen, variant = (table[name] for name in ROW[:3])
    named = eco.classify_moves(moves, fen=fen, variant=variant.combine_chunks()).to_list()
    assert len(named) == table.num_rows > 0
    differing = [
        (wanted, found)
        for wanted, found, text in zip(table.select(NAMED).to_pylist(), named, moves.to_pylist())
        if (wanted if text is not None else None) != found
    ]
    assert not differing, differing[:3]


def test_movetexts_shorter_or_longer_than_their_tags_are_refused():
    pa = pytest.importorskip("pyarrow")
    moves, chunks = pa.array(["1. e4"] * 5), [pa.array(["Atomic"] * 2)] * 2
    for rows, wrong in [(4, "fewer"), (6, "more")]:
        variant = pa.chunked_array([*chunks, pa.array(["Atomic"] * (rows - 4), pa.string())])
        with pytest.raises(ValueError, match=f"fen and variant have {wrong} rows"):
            eco.classify_moves(moves, variant=variant)
    with pytest.raises(TypeError, match="expected a column of text, found one of Int64"):
        eco.classify_moves(moves, fen=pa.array(range(5)))
    assert len(eco.classify_moves(moves[:0], fen=pa.array([], pa.string()))) == 0
    assert eco.classify_moves(moves, fen=pa.nulls(5)).to_list()[0]["eco"] == "B00"


def test_libraries_pass_the_tags_of_movetexts():
    pl, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    duckdb, pd = pytest.importorskip("duckdb"), pytest.importorskip("pandas")
    import eco_openings.duckdb
    import eco_openings.polars

    frame = pl.DataFrame(STARTS, schema=["moves", "fen", "variant"], orient="row")
    columns = {name: frame[name] for name in ["fen", "variant"]}
    expected = eco.classify_moves(frame["moves"], **columns).to_list()
    assert [row["eco"] for row in expected][:4] == ["B20", "B50", "B50", "A04"]
    names = {"fen": "fen", "variant": pl.col("variant")}
    found = frame.lazy().select(pl.col("moves").eco.classify(**names)).collect()
    assert found["moves"].to_list() == frame["moves"].eco.classify(**columns).to_list() == expected
    alone = frame.select(pl.col("moves").eco.classify(variant="variant").struct.field("eco"))
    assert alone["eco"].to_list()[:6] == ["B20", "A04", "A04", "A04", "B20", None]
    games = pd.DataFrame(STARTS, columns=["moves", "fen", "variant"])
    series = [games[name] for name in games]
    assert eco.classify_moves(series[0], fen=series[1], variant=series[2]).to_list() == expected
    with duckdb.connect() as con:
        eco_openings.duckdb.register(con)
        answers = con.sql("select eco_classify(moves, fen, variant) from frame").fetchall()
        assert [answer for (answer,) in answers] == expected
        answers = con.sql("select eco_classify(moves, fen).eco from frame").fetchall()
        assert [eco for (eco,) in answers][:6] == ["B20", "B50", "B50", "A04", "B20", "B20"]


def test_what_is_no_column_of_text_is_refused():
    pa = pytest.importorskip("pyarrow")
    with pytest.raises(TypeError, match="expected a column of text, found one of Int64"):
        eco.classify_moves(pa.array([1]))
    for wrong in ["1. e4", b"1. e4", None, 7]:
        with pytest.raises(TypeError, match="expected an Arrow array"):
            eco.classify_moves(wrong)


def test_polars_has_an_expression():
    pl = pytest.importorskip("polars")
    import eco_openings.polars

    frame = pl.DataFrame({"moves": MOVES})
    named = pl.col("moves").eco.classify()
    found = frame.select(named.struct.field("eco"))["eco"].to_list()
    assert found == NAMES
    assert frame.lazy().select(named.alias("o")).collect_schema()["o"] == eco_openings.polars.DTYPE
    assert frame["moves"].eco.classify().struct.field("ply").to_list()[0] == 3
    lazy = frame.lazy().with_columns(named.alias("o")).filter(pl.col("o").struct.field("ply") > 2)
    assert lazy.collect()["moves"].to_list() == [MOVES[0], MOVES[3]]
    categories = frame.with_columns(pl.col("moves").cast(pl.Categorical))
    assert categories.select(named.struct.field("eco"))["eco"].to_list() == NAMES
    nulls = pl.DataFrame({"moves": [None, None]})
    assert nulls.schema["moves"] == pl.Null
    assert nulls.select(named.struct.field("eco"))["eco"].to_list() == [None, None]
    assert eco.classify_moves(nulls["moves"]).to_list() == [None, None]
    grouped = frame.group_by(named.struct.field("eco")).len().sort("eco", nulls_last=True)
    assert grouped["eco"].to_list() == ["A81", "B50", "C20", None]


def test_duckdb_has_a_function():
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    import eco_openings.duckdb

    with duckdb.connect() as con:
        eco_openings.duckdb.register(con)
        eco_openings.duckdb.register(con)
        con.execute("create table games (n integer, moves varchar)")
        con.executemany("insert into games values (?, ?)", list(enumerate(MOVES)))
        found = con.sql("select eco_classify(moves).eco from games order by n").fetchall()
        assert [eco for (eco,) in found] == NAMES
        counted = con.sql(
            "select count(*), sum(eco_classify(moves || '').ply) from games, range(1000)"
        ).fetchall()
        named = eco.classify_moves(con.sql("from games").to_arrow_table()["moves"]).to_list()
        plies = [row["ply"] for row in named if row]
        assert counted == [(6000, 1000 * sum(ply or 0 for ply in plies))]


def test_lists_are_columns_too():
    named = eco.classify_moves(MOVES).to_list()
    assert ecos(named) == NAMES
    assert eco.classify_moves(iter(MOVES)).to_list() == named
    moves, fen, variant = zip(*STARTS)
    named = eco.classify_moves(moves, fen=list(fen), variant=variant).to_list()
    assert ecos(named)[:6] == ["B20", "B50", "B50", "A04", "B20", None]
    with pytest.raises(TypeError, match="str"):
        eco.classify_moves(["1. e4", 7])
