"""Openings in DuckDB's SQL: ``eco_classify(moves, fen, variant).opening``.

>>> import duckdb
>>> import eco_openings.duckdb
>>> con = duckdb.connect()
>>> eco_openings.duckdb.register(con)
>>> con.sql("select eco_classify('1. d4 f5 2. g3').opening").fetchall()
[('Dutch Defense: Fianchetto Attack',)]

DuckDB hands columns over by pyarrow, which must be there as well.
"""

import contextlib

import duckdb

from . import Catalogue, classify_moves

__all__ = ["register"]

TYPE = "STRUCT(eco VARCHAR, opening VARCHAR, ply USMALLINT, transposed BOOLEAN, error VARCHAR)"
"""The type of what the function gives."""


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
