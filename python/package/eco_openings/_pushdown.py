"""Queries that become smaller readings: columns become fields, and conditions a selection.

A condition is a triple of column, operator (``==``, ``in``, ``>=``, ``<=``, ``prefix``) and value. All of
a list hold. What they become selects every game that fulfils them, and maybe more, since players are
compared without accents and dates are as exact as they are known; so whoever asks applies them again.
"""

import re

from . import classify
from .errors import SelectionError

DATES = {"date_from": "date", "date_to": "date"}
"""Columns that come with a field of another name."""

SPEEDS = {"ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence"}

RESULTS = {"1-0", "0-1", "1/2-1/2"}
"""Results that the tag decides: with another one, the end of the moves does."""

SIDES = {"player", "against", "color"}

SIDES_ARE_SEEN = {*SIDES, "rating", "rating_of", "result", "not"}

CODE = re.compile("[A-E][0-9][0-9]")

CODES = re.compile("[A-E][0-9]?[0-9]?")


def fields_of(columns):
    """The fields that are needed for these columns; the number of the game if there are none."""
    fields = [DATES.get(name, name) for name in columns]
    return list(dict.fromkeys(fields)) or ["game"]


def read(games, columns, conditions, *, select=None, **options):
    """Batches with these columns, and maybe others, of the games that may fulfil the conditions.

    A player whom no game has is no error if only a condition names him: a query has no rows then.
    """
    chosen = narrowed(select, conditions)
    reader = classify(games, fields=fields_of(columns), select=chosen, **options)
    try:
        yield from reader
    except SelectionError as error:
        if error.name != "player" or "player" in (select or {}) or "player" not in chosen:
            raise


def narrowed(select, conditions):
    """A selection of those games that may fulfil the conditions as well."""
    given = select or {}
    # These are seen from the side of a player who is asked for, so none is added to them.
    excluded = {*given, *(SIDES if SIDES_ARE_SEEN & given.keys() else ())}
    added = {name: value for name, value in selection(conditions).items() if name not in excluded}
    return {**given, **added}


def selection(conditions):
    """The selection that games which fulfil all conditions pass."""
    by_column = {}
    for column, operator, value in conditions:
        values = list(value) if operator == "in" else [value]
        by_column.setdefault(column, []).append(("in" if operator == "==" else operator, values))
    found = {**_players(by_column), **_dates(by_column), **_ratings(by_column), **_codes(by_column)}
    for name, accepted in [("result", RESULTS.__contains__), ("speed", SPEEDS.__contains__)]:
        _add(found, name, _values(by_column, name, accepted))
    for name in ["event", "site"]:
        _add(found, name, _values(by_column, name, _has_letter))
    return found


def either(left, right):
    """The condition that one of two conditions holds: understood of a player with either colour."""
    if len(left) == len(right) == 1:
        (white, equals, name), (black, also_equals, other) = left[0], right[0]
        is_same = equals == also_equals == "==" and name == other
        if is_same and {white, black} == {"white", "black"}:
            yield "player", "==", name


def _add(found, name, values):
    if values:
        found[name] = values


def _values(by_column, column, accepted):
    """The values that a column must have, if all of them can be selected by."""
    for operator, values in by_column.get(column, []):
        if operator == "in" and values and all(isinstance(v, str) and accepted(v) for v in values):
            return values
    return None


def _has_letter(value):
    return any(sign.isascii() and sign.isalpha() for sign in value)


def _players(by_column):
    white, black, any_of = (_values(by_column, name, _has_letter) for name in ["white", "black", "player"])
    if white:
        return {"player": white, "color": "white", **({"against": black} if black else {})}
    if black:
        return {"player": black, "color": "black"}
    return {"player": any_of} if any_of else {}


def _dates(by_column):
    found = {}
    for column in DATES:
        for operator, (value, *more) in by_column.get(column, []):
            if more or not hasattr(value, "isoformat"):
                continue
            if operator in ("in", ">="):
                found["since"] = max(value, found.get("since", value))
            if operator in ("in", "<="):
                found["until"] = min(value, found.get("until", value))
    return found


def _ratings(by_column):
    """Bounds of both players: a selection has no others without a player."""
    bounds = {}
    for operator in ("<=", ">="):
        limits = [_limits(by_column, column, operator) for column in ["white_elo", "black_elo"]]
        if all(limits):
            bounds[operator] = min(map(max, limits)) if operator == ">=" else max(map(min, limits))
    low, high = bounds.get(">="), bounds.get("<=")
    return {"rating": (low, high)} if bounds and (low or 1) <= (high or 4000) else {}


def _limits(by_column, column, operator):
    found = by_column.get(column, [])
    return [v for op, (v, *more) in found if op in (operator, "in") and not more and _is_rating(v)]


def _is_rating(value):
    return isinstance(value, int) and 1 <= value <= 4000


def _codes(by_column):
    exact = _values(by_column, "eco", CODE.fullmatch)
    if exact:
        return {"eco": exact}
    low, high = "A00", "E99"
    for operator, (value, *_) in by_column.get("eco", []):
        if operator == "prefix" and CODES.fullmatch(value):
            return {"eco": value}
        if operator in (">=", "<=") and isinstance(value, str) and CODE.fullmatch(value):
            low, high = (max(low, value), high) if operator == ">=" else (low, min(high, value))
    is_narrower = (low, high) != ("A00", "E99") and low <= high
    return {"eco": f"{low}-{high}"} if is_narrower else {}
