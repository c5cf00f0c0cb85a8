"""Openings in Polars expressions: ``pl.col("moves").eco.classify()``.

>>> import polars as pl
>>> import eco_openings.polars
>>> games = pl.DataFrame({"moves": ["1. e4 c5", "1. d4 f5 2. g3", None]})
>>> games.select(pl.col("moves").eco.classify().struct.field("eco")).to_series().to_list()
['B20', 'A81', None]

Importing this module adds the namespace ``eco`` to expressions and series; ``col`` is ``pl.col`` with
a type that has it. It calls Polars by its
public interface alone (``map_batches``, Arrow's C stream), so that any version with both will do.
"""

import polars as pl

from . import Catalogue, classify_moves

__all__ = ["DTYPE", "EcoExpr", "EcoSeries", "col"]

DTYPE = pl.Struct(
    {
        "eco": pl.String,
        "opening": pl.String,
        "ply": pl.UInt16,
        "transposed": pl.Boolean,
        "error": pl.String,
    }
)
"""The type of what ``classify`` gives."""


def col(name):
    """``pl.col(name)``, of which type checkers know that it has ``eco``."""
    return pl.col(name)


def _catalogue(catalogue):
    # Once, not for every batch.
    return catalogue if catalogue is None or isinstance(catalogue, Catalogue) else Catalogue.open(catalogue)


def _classify(moves, tags, catalogue):
    named = classify_moves(moves, **tags, catalogue=catalogue)
    return pl.Series(moves.name, named, dtype=DTYPE)


@pl.api.register_expr_namespace("eco")
class EcoExpr:
    """What the namespace ``eco`` of an expression has."""

    def __init__(self, expr):
        self._expr = expr

    def classify(self, *, fen=None, variant=None, catalogue=None):
        """The opening of each movetext: a struct of eco, opening, ply, transposed and error.

        ``fen`` and ``variant`` are the columns of the tags ``FEN`` and ``Variant``, by name or as
        expressions: games begin, and are named or not, as these say.
        """
        catalogue = _catalogue(catalogue)
        given = {"fen": fen, "variant": variant}
        tags = {
            name: (pl.col(tag) if isinstance(tag, str) else tag).alias(f"eco:{name}")
            for name, tag in given.items()
            if tag is not None
        }
        if not tags:
            return self._expr.map_batches(
                lambda moves: _classify(moves, {}, catalogue),
                return_dtype=DTYPE,
                is_elementwise=True,
            )

        def classify(games):
            moves, *values = games.struct.unnest().get_columns()
            return _classify(moves, dict(zip(tags, values)), catalogue)

        games = pl.struct(self._expr, *tags.values())
        return games.map_batches(classify, return_dtype=DTYPE, is_elementwise=True)


@pl.api.register_series_namespace("eco")
class EcoSeries:
    """What the namespace ``eco`` of a series has."""

    def __init__(self, series):
        self._series = series

    def classify(self, *, fen=None, variant=None, catalogue=None):
        """The opening of each movetext: a struct of eco, opening, ply, transposed and error.

        ``fen`` and ``variant`` are series of the tags ``FEN`` and ``Variant``.
        """
        return _classify(self._series, {"fen": fen, "variant": variant}, _catalogue(catalogue))
