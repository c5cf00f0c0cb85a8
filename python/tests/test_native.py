"""What readers and tables do by themselves: frames, notebooks, iteration, other processes."""

import concurrent.futures
import io
import multiprocessing
import pickle

import pytest

import eco_openings as eco
from conftest import CLUB, FAMOUS

FIELDS = "white,white_elo,date,eco,transposed"


def expected(fields=FIELDS):
    return eco.classify(FAMOUS, fields=fields).read_all().rows()


def test_rows_become_frames_of_each_library():
    pl, pd = pytest.importorskip("polars"), pytest.importorskip("pandas")
    pa = pytest.importorskip("pyarrow")
    reader = eco.classify(FAMOUS, fields=FIELDS)
    for rows in [reader, reader.read_all(), next(iter(reader))]:
        assert isinstance(rows.to_polars(), pl.DataFrame)
        assert rows.to_polars().to_dicts() == expected()
        assert isinstance(rows.to_arrow(), pa.Table) and rows.to_arrow().to_pylist() == expected()
        frame = rows.to_pandas()
        assert frame.shape == (30, 7)
        assert [str(kind) for kind in frame.dtypes] == [
            "string[pyarrow]", "uint16[pyarrow]", "string[pyarrow]", "date32[day][pyarrow]",
            "date32[day][pyarrow]", "category", "bool[pyarrow]",
        ]  # fmt: skip
        assert frame["white_elo"].isna().sum() == sum(row["white_elo"] is None for row in expected())
        assert pd.api.types.is_integer_dtype(frame["white_elo"].dtype)
        assert list(frame["eco"].str[0])[:2] == ["B", "C"]


def test_a_frame_of_pandas_is_whole_or_refused():
    pd = pytest.importorskip("pandas")
    reader = eco.classify(FAMOUS, fields=FIELDS)
    with pytest.raises(TypeError, match=r"use reader.to_pandas\(\)"):
        pd.DataFrame(reader)
    assert pd.DataFrame(reader.read_all()).shape == (30, 7)
    assert pd.DataFrame.from_arrow(reader).shape == (30, 7)


def test_frames_raise_what_ended_the_reading():
    pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    for make in ["to_polars", "to_arrow", "to_pandas"]:
        with pytest.raises(eco.PgnError, match="no game in it"):
            getattr(eco.classify(b"no game"), make)()
        with pytest.raises(eco.SelectionError, match="Nobody"):
            getattr(eco.classify(FAMOUS, select={"player": "Nobody"}), make)()


def test_tables_and_batches_are_iterated_by_row():
    reader = eco.classify(FAMOUS, fields=FIELDS)
    table = reader.read_all()
    assert list(table) == table.rows() == expected() and len(table) == 30
    assert table.rows(limit=2) == expected()[:2] and len(table.rows(limit=99)) == 30
    (batch,) = reader
    assert list(batch) == batch.rows() == expected() and len(batch) == 30


def test_notebooks_show_the_first_rows():
    table = eco.classify(FAMOUS, fields="game,white,eco").read_all()
    shown = table._repr_html_()
    assert "30 rows, of which 10 are shown" in shown and shown.count("<tr>") == 11
    assert "<td>Greco, Gioachino</td><td>B00</td>" in shown
    hostile = eco.classify(b'[White "<b>"]\n\n1. e4 *\n', fields="white,black").read_all()
    assert "1 row<" in hostile._repr_html_() and "<td>&lt;b&gt;</td><td></td>" in hostile._repr_html_()
    reader = eco.classify(io.BytesIO(FAMOUS.read_bytes()), fields="game,white")
    assert "<th>game</th><th>white</th>" in reader._repr_html_()
    # Nothing was read for that.
    assert len(reader.read_all()) == 30


def test_a_reader_closes_itself(many_games):
    with eco.classify(many_games, fields="eco") as reader:
        batches = iter(reader)
        assert len(next(batches)) > 0
    for read in [lambda: next(batches), reader.read_all, lambda: iter(reader)]:
        with pytest.raises(ValueError, match="the reader is closed"):
            read()
    with pytest.raises(ZeroDivisionError), eco.classify(FAMOUS) as reader:
        1 / 0


def test_batches_are_large(many_games):
    lengths = [len(batch) for batch in eco.classify(many_games, fields="eco")]
    assert sum(lengths) == 12000 and len(lengths) == 2 and lengths[0] >= 8192
    chosen = [len(batch) for batch in eco.classify(many_games, select={"eco": "B00"})]
    assert chosen == [400]
    reader = eco.classify(many_games, fields="eco,opening,moves")
    assert reader.read_all().rows() == expected("eco,opening,moves") * 400


def test_parts_and_tables_can_be_sent_to_other_processes():
    def again(thing):
        return pickle.loads(pickle.dumps(thing))

    parts = eco.parts(FAMOUS, size=5000)
    for part in [*parts, eco.Part(io.BytesIO(FAMOUS.read_bytes()), 0, 5000, name="games")]:
        sent = again(part)
        assert repr(sent) == repr(part) and sent.compression == part.compression
        assert eco.classify(sent).read_all().rows() == eco.classify(part).read_all().rows()
    for table in [eco.classify(FAMOUS, fields="all").read_all(), eco.stats(CLUB, by="year")]:
        assert again(table).rows() == table.rows() and again(table).columns == table.columns
    batches = eco.classify(FAMOUS.read_bytes() * 600, fields="eco,book_exit").read_all()
    assert again(batches).rows() == batches.rows() and len(batches) == 18000
    with pytest.raises(ValueError):
        eco.Table(b"nothing of the kind")


def count(part):
    return eco.stats(part, by="eco")


def test_the_example_of_the_readme_runs_on_processes():
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        tables = list(pool.map(count, eco.parts(FAMOUS, count=3)))
    assert sum(row["games"] for table in tables for row in table) == 30


def test_the_example_of_the_readme_runs_on_dask():
    pytest.importorskip("dask")
    import dask

    counted = dask.compute(*[dask.delayed(count)(part) for part in eco.parts(FAMOUS, count=3)],
                           scheduler="processes", num_workers=2)
    assert sum(row["games"] for table in counted for row in table) == 30


def test_the_example_of_the_readme_runs_on_ray():
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        task = ray.remote(lambda part: eco.stats(part, by="eco"))
        tables = ray.get([task.remote(part) for part in eco.parts(str(FAMOUS), count=3)])
    finally:
        ray.shutdown()
    assert sum(row["games"] for table in tables for row in table) == 30


def test_names_may_come_from_any_iterable():
    assert eco.classify(FAMOUS, fields=(name for name in ["eco", "white"])).columns == ["eco", "white"]
    by = eco.stats(FAMOUS, by=iter(["family"]))
    assert by.rows() == eco.stats(FAMOUS, by="family").rows()


def test_a_selection_has_a_type():
    assert eco.Selection.__optional_keys__ >= {"player", "rating", "not"}
    chosen: eco.Selection = {"rating": (2700, None), "not": {"eco": "D"}}
    assert len(eco.classify(FAMOUS, select=chosen).read_all()) == 0
    with pytest.raises(eco.SelectionError) as raised:
        eco.classify(FAMOUS, select={"plaer": "Tal"})
    for name in eco.Selection.__optional_keys__:
        assert name in str(raised.value)
