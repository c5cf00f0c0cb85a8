"""Openings in DuckDB's SQL: archives as tables, and ``eco_classify(moves, fen, variant).opening``.

>>> import duckdb
>>> import eco_openings.duckdb
>>> query = "SELECT eco, count(*) FROM read_pgn('data/games/*.pgn') WHERE eco < 'B' GROUP BY eco ORDER BY ALL"
>>> eco_openings.duckdb.sql(query).fetchall()[:2]
[('A00', 1), ('A13', 1)]
>>> con = duckdb.connect()
>>> eco_openings.duckdb.register(con)
>>> con.sql("select eco_classify('1. d4 f5 2. g3').opening").fetchall()
[('Dutch Defense: Fianchetto Attack',)]

A query reads the columns and selects the games that it needs. ``read_pgn`` gives a table that any query
can name. DuckDB hands columns over by pyarrow, which must be there as well.
"""

import contextlib
import re

import duckdb

from . import Catalogue, classify, classify_moves

__all__ = ["read_pgn", "register", "sql"]

TYPE = "STRUCT(eco VARCHAR, opening VARCHAR, ply USMALLINT, transposed BOOLEAN, error VARCHAR)"
"""The type of what the function gives."""


NAMED = re.compile(r"\bread_pgn\s*\(\s*'((?:[^']|'')+)'\s*\)", re.IGNORECASE)
"""Archives that a query names."""


QUOTED = """ '"' || replace(games, '"', '""') || '"' """
"""The name of a table that is the path itself: without quotes, a dot would end the name of a schema."""


def read_pgn(games, *, fields="all", select=None, **options):
    """Games as a ``pyarrow.dataset.Dataset``, which DuckDB's queries can name like a table.

    ``games``, ``fields``, ``select`` and other options are those of ``eco_openings.classify``. Columns
    that a query does not use are not read. Conditions on ``white``, ``black``, ``eco``, ``result``,
    ``date_from``, ``date_to``, ``event``, ``site`` and ``speed``, and on the ratings of both players,
    select games before their rows are made.
    """
    from ._dataset import PgnDataset

    return PgnDataset(games, fields=fields, select=select, **options)


def sql(query, con=None, **options):
    """Runs a query in which ``read_pgn('*.pgn.zst')`` stands for the games of archives.

    ``con`` is a connection, by default that of ``duckdb.sql``; ``options`` are those of the function
    ``read_pgn``. Later queries of the connection may name the same archives.
    """
    con = con or duckdb.default_connection()
    con.execute(f"create or replace temp macro read_pgn(games) as table from query_table({QUOTED})")
    for (path,) in dict.fromkeys(match.groups() for match in NAMED.finditer(query)):
        path = path.replace("''", "'")
        # What cannot be read is said of the path, not of the query.
        classify(path, **options)
        con.register(path, read_pgn(path, **options))
    return con.sql(query)


def register(con, name="eco_classify", *, catalogue=None):
    """Adds a function to a connection: the opening of a movetext, as a struct of eco, opening, ply,
    transposed and error. A function of this name that was added before is replaced.

    Its second argument, if there is one, is the tag ``FEN`` of the game, and its third ``Variant``:
    games begin, and are named or not, as these say. A null is a tag that is missing.
    """
    import pyarrow as pa

    # Once, not for every chunk.
    catalogue = catalogue if catalogue is None or isinstance(catalogue, Catalogue) else Catalogue.open(catalogue)

    def classify(*columns):
        moves, fen, variant = columns + (None,) * (3 - len(columns))
        return pa.array(classify_moves(moves, fen=fen, variant=variant, catalogue=catalogue))

    with contextlib.suppress(duckdb.InvalidInputException, duckdb.CatalogException):
        con.remove_function(name)
    con.create_function(name, classify, None, TYPE, type="arrow", null_handling="special")
