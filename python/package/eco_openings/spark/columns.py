"""Columns of data frames: openings of movetexts, and positions of games."""

import pyarrow as pa
from pyspark.sql import functions
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from .. import classify_moves as _classify_moves
from . import _catalogue, _positions

__all__ = ["POSITION_FIELDS", "classify_moves", "positions"]

POSITION_FIELDS = "result,date,white_elo,black_elo,moves,tag:FEN,tag:Variant"
"""The fields of ``PgnSource`` that ``positions`` uses."""

OPENING = "struct<eco:string,opening:string,ply:int,transposed:boolean,error:string>"


def classify_moves(moves, *, fen=None, variant=None, catalogue=None, storage_options=None):
    """The opening of each movetext of a column: a struct of eco, opening, ply, transposed and error.

    ``games.withColumn("opening", classify_moves("movetext"))``. ``fen`` and ``variant`` are the
    columns of the tags ``FEN`` and ``Variant``: games begin, and are named or not, as these say.
    ``catalogue`` is the path of a file of openings or of a position database, which the driver
    reads.
    """
    shipped = _catalogue.ship(catalogue, storage_options)

    tags = {"fen": fen, "variant": variant}
    tags = {tag: column for tag, column in tags.items() if column is not None}

    def name(column, *values):
        given = dict(zip(tags, values))
        named = pa.array(_classify_moves(column, **given, catalogue=_catalogue.unpack(shipped)))
        names = [field.name for field in named.type]
        parts = [named.field(part) for part in names]
        parts[2] = parts[2].cast(pa.int32())
        mask = named.is_null() if named.null_count else None
        return pa.StructArray.from_arrays(parts, names, mask=mask)

    if hasattr(functions, "arrow_udf"):
        from pyspark.sql.functions import arrow_udf

        def on_arrow(column: pa.Array, *values: pa.Array) -> pa.Array:
            return name(column, *values)

        return arrow_udf(on_arrow, OPENING)(moves, *tags.values())

    # Spark 4.0.
    import pandas as pd

    def on_pandas(column: pd.Series, *values: pd.Series) -> pd.DataFrame:
        texts = [pa.array(values, pa.string()) for values in (column, *values)]
        return name(*texts).to_pandas().apply(pd.Series)

    return functions.pandas_udf(on_pandas, OPENING)(moves, *tags.values())


def positions(
    games,
    depth=50,
    *,
    moves="moves",
    result="result",
    fen="tag:FEN",
    variant="tag:Variant",
    white_elo="white_elo",
    black_elo="black_elo",
    date="date",
    keep=(),
):
    """A row for each position of each game, up to a ply.

    ``games`` is a data frame with a column of movetexts, such as ``PgnSource`` gives with the fields
    ``POSITION_FIELDS``. The keywords are the names of its columns; all but ``moves`` may be missing.
    The columns ``keep`` are repeated in each row.

    The rows: ``ply``, the half-moves before the position; ``key``, its hash, which
    ``eco_openings.position_hash`` gives; ``uci`` and ``san``, the move that was played there, null at
    the end of a game; ``last_visit``, false if the game comes back to the position;
    ``from_position``, whether the game begins elsewhere than in the initial position; ``result``
    (null if unknown), ``white_elo``, ``black_elo`` and ``month`` of the game.

    What ``eco explore`` counts are the rows with a key, a ``uci`` and a result, with ``last_visit``
    and without ``from_position``.
    """
    names = {
        "moves": moves,
        "result": result,
        "fen": fen,
        "variant": variant,
        "white_elo": white_elo,
        "black_elo": black_elo,
        "date": date,
    }
    if moves not in games.columns:
        raise ValueError(f"there is no column {moves}; name that of the movetexts with moves=")
    keep = list(keep)
    present = {name: column for name, column in names.items() if column in games.columns}
    # The columns to repeat have names of their own meanwhile.
    kept = {f"kept {column}": column for column in keep}
    chosen = games.select(
        *[functions.col(_quoted(column)).alias(name) for name, column in present.items()],
        *[functions.col(_quoted(column)).alias(name) for name, column in kept.items()],
    )
    schema = StructType([games.schema[column] for column in keep])
    schema = StructType(schema.fields + from_arrow_schema(_positions.COLUMNS).fields)

    def rows(batches):
        for batch in batches:
            for found in _positions.rows(batch, depth, list(kept)):
                yield found.rename_columns([*keep, *_positions.COLUMNS.names])

    return chosen.mapInArrow(rows, schema)


def _quoted(name):
    return "`" + name.replace("`", "``") + "`"
