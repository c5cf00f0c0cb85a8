"""Openings in Polars expressions: ``pl.col("moves").eco.classify()``.

>>> import polars as pl
>>> import eco_openings.polars
>>> games = pl.DataFrame({"moves": ["1. e4 c5", "1. d4 f5 2. g3", None]})
>>> games.select(pl.col("moves").eco.classify().struct.field("eco")).to_series().to_list()
['B20', 'A81', None]

``scan_pgn`` is a lazy frame of games, of which a query reads what it needs:

>>> games = eco_openings.polars.scan_pgn("data/games/*.pgn")
>>> games.filter(pl.col("eco") == "B07").select("white", "black", "ply").collect().rows()
[('Kasparov, Garry', 'Topalov, Veselin', 6)]

Importing this module adds the namespace ``eco`` to expressions and series; ``col`` is ``pl.col`` with
a type that has it. It calls Polars by its
public interface alone (``map_batches``, Arrow's C stream), so that any version with both will do.
"""

import datetime
import json

import polars as pl
from polars.io.plugins import register_io_source

from . import Catalogue, _pushdown, classify, classify_moves

__all__ = ["DTYPE", "EcoExpr", "EcoSeries", "col", "scan_pgn"]

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


def scan_pgn(games, *, fields="all", select=None, **options):
    """A lazy frame of games, which are read when it is collected, and no more of them than it needs.

    ``games``, ``fields``, ``select`` and other options are those of ``eco_openings.classify``. Columns
    that a query does not use are not read. A filter by ``white``, ``black``, ``eco``, ``result``,
    ``date_from``, ``date_to``, ``event``, ``site`` or ``speed``, or by the ratings of both players,
    selects games before their rows are made, and ``head`` ends the reading.
    """
    schema = pl.DataFrame(classify(b"", fields=fields)).schema

    def source(with_columns, predicate, n_rows, batch_size):
        columns = list(schema) if with_columns is None else with_columns
        roots = [] if predicate is None else predicate.meta.root_names()
        # A limit counts the games before a filter that comes with it.
        conditions = [] if predicate is None or n_rows is not None else _conditions(predicate)
        rest = n_rows
        for batch in _pushdown.read(games, [*columns, *roots], conditions, select=select, **options):
            frame = pl.DataFrame(batch)
            if rest is not None:
                frame = frame.head(rest)
                rest -= len(frame)
            yield _kept(frame, predicate).select(columns)
            if rest == 0:
                return

    return register_io_source(source, schema=schema)


def _kept(frame, predicate):
    return frame if predicate is None else frame.filter(predicate)


def _conditions(predicate):
    """The conditions of a predicate that are understood. Those that are not are only applied."""
    try:
        return list(_read(json.loads(predicate.meta.serialize(format="json"))))
    except (ValueError, LookupError, TypeError, pl.exceptions.PolarsError):
        # Another release of Polars may write expressions in another way.
        return []


COMPARED = {"Eq": "==", "Gt": ">=", "GtEq": ">=", "Lt": "<=", "LtEq": "<="}
"""Comparisons. What is greater is also greater or equal."""

MIRRORED = {"==": "==", ">=": "<=", "<=": ">="}


def _read(node):
    ((kind, inner),) = node.items()
    if kind == "BinaryExpr" and inner["op"] == "And":
        yield from _read(inner["left"])
        yield from _read(inner["right"])
    elif kind == "BinaryExpr" and inner["op"] == "Or":
        yield from _pushdown.either(list(_read(inner["left"])), list(_read(inner["right"])))
    elif kind == "BinaryExpr" and inner["op"] in COMPARED:
        yield from _comparison(inner["left"], COMPARED[inner["op"]], inner["right"])
    elif kind == "Function":
        yield from _function(inner["function"], inner["input"])


def _comparison(left, operator, right):
    if _literal(left) is not None:
        left, operator, right = right, MIRRORED[operator], left
    column, value = _column(left), _literal(right)
    if column is not None and value is not None:
        yield column, operator, value
    elif _year(left) is not None and isinstance(value, int) and 1 <= value <= 9999:
        if operator != "<=":
            yield _year(left), ">=", datetime.date(value, 1, 1)
        if operator != ">=":
            yield _year(left), "<=", datetime.date(value, 12, 31)


def _year(node):
    """The column whose year is asked for."""
    ((kind, inner),) = node.items()
    is_year = kind == "Function" and inner["function"] == {"TemporalExpr": "Year"}
    return _column(inner["input"][0]) if is_year else None


def _function(function, inputs):
    column, literals = _column(inputs[0]), [_literal(literal) for literal in inputs[1:]]
    if column is None or None in literals:
        return
    if function == {"StringExpr": "StartsWith"}:
        yield column, "prefix", literals[0]
    elif "IsIn" in function.get("Boolean", {}):
        yield column, "in", literals[0]
    elif "IsBetween" in function.get("Boolean", {}):
        yield column, ">=", literals[0]
        yield column, "<=", literals[1]


def _column(node):
    ((kind, inner),) = node.items()
    if kind == "Cast" and inner["dtype"] == {"Literal": "String"}:
        return _column(inner["expr"])
    return inner if kind == "Column" else None


def _literal(node):
    """The value of a literal, of the types that conditions have; None for others."""
    ((kind, inner),) = node.get("Literal", {"": {"": None}}).items()
    if kind not in ("Scalar", "Dyn"):
        return None
    ((kind, value),) = inner.items()
    if kind == "Date":
        return datetime.date(1970, 1, 1) + datetime.timedelta(value)
    if kind == "List":
        return pl.read_ipc_stream(bytes(value)).to_series().to_list()
    return value if kind == "String" or "Int" in kind else None
