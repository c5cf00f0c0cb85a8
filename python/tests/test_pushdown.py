"""Queries of Polars, DuckDB and Spark: they read what they need, and have the rows of whoever reads all."""

import datetime

import pytest

import eco_openings as eco
from conftest import FAMOUS, ROOT
from eco_openings import _pushdown

GAMES = str(ROOT / "data/games/*.pgn")


@pytest.fixture
def asked(monkeypatch):
    """What readers were asked for: fields, and selections."""
    calls, read = [], _pushdown.classify

    def spy(games, *, fields, select, **options):
        calls.append((fields, select))
        return read(games, fields=fields, select=select, **options)

    monkeypatch.setattr(_pushdown, "classify", spy)
    return calls


DAY = datetime.date
NOVAK = "Novak, Ana"


def test_conditions_become_a_selection():
    for conditions, expected in [
        ([("eco", "==", "B20")], {"eco": ["B20"]}),
        ([("eco", "in", ["B20", "C41"])], {"eco": ["B20", "C41"]}),
        ([("eco", "prefix", "B2")], {"eco": "B2"}),
        ([("eco", ">=", "B20"), ("eco", "<=", "C42")], {"eco": "B20-C42"}),
        ([("eco", ">=", "D10")], {"eco": "D10-E99"}),
        ([("white", "==", NOVAK)], {"player": [NOVAK], "color": "white"}),
        ([("black", "==", NOVAK)], {"player": [NOVAK], "color": "black"}),
        ([("white", "==", "A"), ("black", "==", "B")],
         {"player": ["A"], "color": "white", "against": ["B"]}),
        ([("player", "==", NOVAK)], {"player": [NOVAK]}),
        ([("date_from", ">=", DAY(2001, 1, 1)), ("date_to", "<=", DAY(2001, 12, 31))],
         {"since": DAY(2001, 1, 1), "until": DAY(2001, 12, 31)}),
        ([("white_elo", ">=", 2400), ("black_elo", ">=", 2500)], {"rating": (2400, None)}),
        ([("white_elo", "<=", 2400), ("black_elo", "<=", 2500)], {"rating": (None, 2500)}),
        ([("result", "==", "1-0"), ("speed", "in", ["blitz"])],
         {"result": ["1-0"], "speed": ["blitz"]}),
        ([("event", "==", "Open"), ("site", "==", "Paris")], {"event": ["Open"], "site": ["Paris"]}),
        # No selection has these, or another one than they mean.
        ([("white_elo", ">=", 2400)], {}),
        ([("white", "==", "?"), ("eco", "==", "B2"), ("result", "==", "*")], {}),
        ([("eco", "in", ["B20", None]), ("date_from", ">=", 2001), ("ply", ">=", 10)], {}),
    ]:  # fmt: skip
        assert _pushdown.selection(conditions) == expected


def test_a_selection_that_is_given_stays():
    white = [("white", "==", NOVAK), ("eco", "==", "B20")]
    assert _pushdown.narrowed({"eco": "C"}, white) == {"eco": "C", "player": [NOVAK], "color": "white"}
    for given in [{"player": "Tal"}, {"rating": (2400, None), "rating_of": "opponent"}, {"not": {}}]:
        assert _pushdown.narrowed(given, white) == {**given, "eco": ["B20"]}


QUERIES = [
    # A query in SQL, what is asked for it, and the number of its games.
    ("eco = 'C41'", {"eco": ["C41"]}, 2),
    ("eco in ('C41', 'B20')", {"eco": ["C41", "B20"]}, 2),
    ("eco >= 'B20' and eco < 'C42'", {"eco": "B20-C42"}, 9),
    (f"white = '{NOVAK}'", {"player": [NOVAK], "color": "white"}, 17),
    (f"(white = '{NOVAK}' or black = '{NOVAK}')", {"player": [NOVAK]}, 21),
    (f"white = '{NOVAK}' and result = '1-0'",
     {"player": [NOVAK], "color": "white", "result": ["1-0"]}, 7),
    ("date_from >= date '1950-01-01' and date_to <= date '1990-12-31'",
     {"since": DAY(1950, 1, 1), "until": DAY(1990, 12, 31)}, 7),
    ("year(date_from) = 1851", {"since": DAY(1851, 1, 1), "until": DAY(1851, 12, 31)}, 1),
    ("white_elo >= 2400 and black_elo > 2400", {"rating": (2400, None)}, 0),
    ("white = 'Nobody At All'", {"player": ["Nobody At All"], "color": "white"}, 0),
    # What no selection has is left to the library.
    ("(eco = 'C41' or white is null)", {}, 2),
    ("white = 'a \"b'", {}, 0),
    ("white <> 'a and (b'", {}, 51),
    ("white is null", {}, 0),
    ("not (eco = 'C41')", {}, 49),
    ("ply > 20", {}, 4),
]  # fmt: skip


def expressions():
    """The same in Polars."""
    pl = pytest.importorskip("polars")
    c, named = pl.col, pl.col("white") == NOVAK
    return [
        c("eco") == "C41",
        c("eco").is_in(["C41", "B20"]),
        (c("eco").cast(pl.String) >= "B20") & ("C42" > c("eco").cast(pl.String)),
        named,
        named | (c("black") == NOVAK),
        named & (c("result") == "1-0"),
        (c("date_from") >= DAY(1950, 1, 1)) & (c("date_to") <= DAY(1990, 12, 31)),
        c("date_from").dt.year() == 1851,
        (c("white_elo") >= 2400) & (c("black_elo") > 2400),
        c("white") == "Nobody At All",
        (c("eco") == "C41") | c("white").is_null(),
        c("white") == 'a "b',
        c("white") != "a and (b",
        c("white").is_null(),
        ~(c("eco") == "C41"),
        c("ply") > 20,
    ]


def test_polars_reads_what_a_query_needs(asked):
    pl = pytest.importorskip("polars")
    from eco_openings.polars import scan_pgn

    everything = pl.DataFrame(eco.classify(GAMES, fields="all"))
    games = scan_pgn(GAMES)
    for predicate, (text, selection, count) in zip(expressions(), QUERIES, strict=True):
        asked.clear()
        query = games.filter(predicate).select("white", "ply")
        expected = everything.filter(predicate).select("white", "ply")
        assert query.collect().rows() == expected.rows() and len(expected) == count, text
        ((fields, select),) = asked
        if text != "white = 'a \"b'":
            assert select == selection, text
        assert {"white", "ply"} <= set(fields) and len(fields) < 8, fields
    plan = games.filter(pl.col("eco") == "C41").select("white").explain()
    assert "PROJECT 2/47 COLUMNS" in plan and 'SELECTION: col("eco") == "C41"' in plan
    assert games.collect().equals(everything)
    assert games.select(pl.len()).collect().item() == 51
    starts = games.filter(pl.col("eco").cast(pl.String).str.starts_with("C4"))
    assert starts.select(pl.len()).collect().item() == 2 and asked[-1][1] == {"eco": "C4"}
    between = pl.col("date_from").is_between(DAY(1851, 1, 1), DAY(1858, 12, 31))
    assert games.filter(between).collect().rows() == everything.filter(between).rows()
    assert asked[-1][1] == {"since": DAY(1851, 1, 1), "until": DAY(1858, 12, 31)}


def test_polars_stops_early_and_counts_before_a_filter(asked, many_games):
    pl = pytest.importorskip("polars")
    from eco_openings.polars import scan_pgn

    pgn, taken = FAMOUS.read_bytes(), 0

    def endless():
        nonlocal taken
        while True:
            taken += 1
            yield pgn

    assert scan_pgn(endless()).head(3).select("white").collect().height == 3
    assert taken * 30 < 10 * 8192
    games, everything = scan_pgn(many_games), pl.DataFrame(eco.classify(many_games, fields="all"))
    first = pl.col("eco") == "C41"
    assert games.head(40).filter(first).collect().equals(everything.head(40).filter(first))
    assert games.slice(9000, 5).select("game").collect()["game"].to_list() == list(range(9001, 9006))
    assert games.filter(first).head(7).collect().equals(everything.filter(first).head(7))


def test_polars_keeps_a_selection_that_is_given(asked):
    pl = pytest.importorskip("polars")
    from eco_openings.polars import scan_pgn

    games = scan_pgn(GAMES, fields="white,eco,tag:Round", select={"eco": "C"}, threads=1)
    assert games.collect_schema().names() == ["white", "eco", "tag:Round"]
    found = games.filter(pl.col("eco") == "C41").collect()
    assert found["eco"].to_list() == ["C41"] * 2 and asked[-1][1] == {"eco": "C"}
    with pytest.raises(Exception, match="no game has a player"):
        scan_pgn(GAMES, select={"player": "Nobody At All"}).collect()


def test_duckdb_reads_what_a_query_needs(asked):
    duckdb, pa = pytest.importorskip("duckdb"), pytest.importorskip("pyarrow")
    from eco_openings.duckdb import read_pgn

    everything, games = pa.table(eco.classify(GAMES, fields="all")), read_pgn(GAMES)
    with duckdb.connect() as con:
        for where, selection, count in QUERIES:
            query = f"select white, ply from {{}} where {where} order by all"
            asked.clear()
            found = con.sql(query.format("games")).fetchall()
            assert found == con.sql(query.format("everything")).fetchall(), where
            ((fields, select),) = asked
            assert (len(found), select) == (count, selection), where
            assert {"white", "ply"} <= set(fields) and len(fields) < 8, fields
        codes = ", ".join(f"'C{number}'" for number in range(40, 75))
        assert con.sql(f"select count(*) from games where eco in ({codes})").fetchall() == \
            con.sql(f"select count(*) from everything where eco in ({codes})").fetchall()
        plan = con.sql("explain select white from games where eco = 'C41'").fetchall()[0][1]
        assert "\"eco\" = 'C41'" in plan and "Projections: white" in plan
        assert con.sql("select count(*) from games").fetchall() == [(51,)]
        assert asked[-1] == (["source"], {})
    assert games.to_table(columns=["eco"]).num_rows == games.count_rows() == 51
    assert games.head(3).num_rows == 3


def test_duckdb_reads_archives_that_a_query_names(asked, monkeypatch):
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    from eco_openings.duckdb import sql

    monkeypatch.chdir(ROOT)
    query = "SELECT eco, count(*) FROM read_pgn('data/games/*.pgn') GROUP BY eco ORDER BY 2 DESC LIMIT 1"
    with duckdb.connect() as con:
        assert sql(query, con).fetchall() == [("D36", 4)] and asked[-1] == (["eco"], {})
        assert con.sql(query).fetchall() == [("D36", 4)]
        two = "select count(*) from READ_PGN ( 'data/games/club.pgn' ), read_pgn('data/games/famous.pgn')"
        assert sql(two, con).fetchall() == [(20 * 30,)]
        only = sql("select count(*) from read_pgn('data/games')", con, select={"eco": "C41"})
        assert only.fetchall() == [(2,)]
        with pytest.raises(FileNotFoundError):
            sql("from read_pgn('none.pgn')", con).fetchall()
    assert sql(query).fetchall() == [("D36", 4)]


def test_duckdb_stops_early():
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    from eco_openings.duckdb import read_pgn

    pgn, taken = FAMOUS.read_bytes(), 0

    def endless():
        nonlocal taken
        while True:
            taken += 1
            yield pgn

    games = read_pgn(endless(), fields="white")
    assert len(duckdb.sql("select white from games limit 3").fetchall()) == 3
    assert taken * 30 < 40 * 8192


def test_spark_pushes_filters():
    datasource = pytest.importorskip("pyspark.sql.datasource")
    pytest.importorskip("pyarrow")
    if not hasattr(datasource, "EqualTo"):
        pytest.skip("SKIPPED: this release of PySpark passes no filters")
    from eco_openings.spark.source import PgnSource, PushingReader

    source = PgnSource({"path": str(FAMOUS), "fields": "white,eco", "pushdown": "true", "min_plies": "9"})
    reader = source.reader(source.schema())
    assert isinstance(reader, PushingReader)
    filters = [
        datasource.EqualTo(("eco",), "C41"),
        datasource.IsNotNull(("eco",)),
        datasource.GreaterThan(("date_from",), DAY(1851, 1, 1)),
        datasource.EqualTo(("white", "inner"), "x"),
    ]
    assert list(reader.pushFilters(filters)) == filters
    assert reader.options.select == {"min_plies": "9", "eco": ["C41"], "since": DAY(1851, 1, 1)}
    rows = [row for part in reader.partitions() for batch in reader.read(part) for row in batch.to_pylist()]
    assert [row["eco"] for row in rows] == ["C41"]
