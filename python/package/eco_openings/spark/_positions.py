"""Rows of positions, made of rows of games."""

import pyarrow as pa
import pyarrow.compute as pc

from .. import positions as _positions

GAMES_AT_ONCE = 1000
"""A game has some eighty rows."""

COLUMNS = pa.schema(
    [
        ("ply", pa.int32()),
        ("key", pa.int64()),
        ("uci", pa.string()),
        ("san", pa.string()),
        ("last_visit", pa.bool_()),
        ("from_position", pa.bool_()),
        ("result", pa.string()),
        ("white_elo", pa.int32()),
        ("black_elo", pa.int32()),
        ("month", pa.string()),
    ]
)


def rows(games, depth, keep=()):
    """The positions of a batch of games, whose columns have these names if they are there: moves,
    result, fen, variant, white_elo, black_elo, date. The columns ``keep`` are repeated.
    """
    for start in range(0, games.num_rows, GAMES_AT_ONCE):
        yield _some(games.slice(start, GAMES_AT_ONCE), depth, keep)


def _some(games, depth, keep):
    texts = {}
    for name in ("moves", "result", "fen", "variant"):
        if name in games.schema.names:
            texts[name] = games[name].cast(pa.string())
    found = pa.record_batch(_positions(pa.record_batch(texts), depth=depth))
    known = {name: games[name] for name in keep}
    known["white_elo"] = _ratings(games, "white_elo")
    known["black_elo"] = _ratings(games, "black_elo")
    known["month"] = _months(games)
    taken = {name: values.take(found["game"]) for name, values in known.items()}
    columns = [taken[name] for name in keep]
    columns += [taken.get(field.name, None) for field in COLUMNS]
    names = [*keep, *COLUMNS.names]
    columns = [
        found[name] if column is None else column for name, column in zip(names, columns)
    ]
    types = [games.schema.field(name).type for name in keep] + COLUMNS.types
    schema = pa.schema(list(zip(names, types)))
    return pa.RecordBatch.from_arrays(
        [column.cast(kind) for column, kind in zip(columns, types)], schema=schema
    )


def _ratings(games, name):
    if name not in games.schema.names:
        return pa.nulls(games.num_rows, pa.int32())
    ratings = games[name]
    if pa.types.is_string(ratings.type):
        is_number = pc.match_substring_regex(ratings, r"^[0-9]{1,4}$")
        ratings = pc.if_else(is_number, ratings, None)
    return ratings.cast(pa.int32())


def _months(games):
    """The month of a date as PGN or ISO writes it, as 2026-02."""
    if "date" not in games.schema.names:
        return pa.nulls(games.num_rows, pa.string())
    dates = games["date"].cast(pa.string())
    month = pc.replace_substring(pc.utf8_slice_codeunits(dates, 0, 7), ".", "-")
    is_known = pc.match_substring_regex(month, r"^[0-9]{4}-(0[1-9]|1[0-2])$")
    return pc.if_else(is_known, month, pa.scalar(None, pa.string()))
