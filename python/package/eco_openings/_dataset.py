"""Games as a dataset of Arrow, from which DuckDB reads the columns and the games that a query needs."""

import datetime
import re

import pyarrow as pa
import pyarrow.dataset as ds

from . import _pushdown, classify

READ_AHEAD = 1
"""The batches that a scanner reads ahead. A query with a limit wants few."""


class PgnDataset(ds.Dataset):
    """Games, which are read for each query."""

    def __init__(self, games, *, fields="all", select=None, **options):
        self._games, self._select, self._options = games, select, options
        self._schema = pa.schema(classify(b"", fields=fields))

    @property
    def schema(self):
        return self._schema

    def scanner(self, columns=None, filter=None, **options):
        """Reads these columns of the games that pass the filter."""
        named = self._schema.names if columns is None else columns
        # A dict has expressions, which may use any column.
        named = self._schema.names if isinstance(named, dict) else list(named)
        conditions = [] if filter is None else list(_read(str(filter)))
        needed = [name for name in self._schema.names if name in named or _mentions(filter, name)]
        schema = pa.schema([self._schema.field(name) for name in needed])
        reader = pa.RecordBatchReader.from_batches(schema, self._batches(needed, conditions))
        return ds.Scanner.from_batches(
            reader, columns=columns, filter=filter, **{"batch_readahead": READ_AHEAD, **options}
        )

    def _batches(self, columns, conditions):
        read = _pushdown.read(
            self._games, columns, conditions, select=self._select, **self._options
        )
        for batch in read:
            yield pa.record_batch(batch).select(columns)


def _mentions(filter, column):
    return filter is not None and re.search(rf"(?<!\w){re.escape(column)}(?!\w)", str(filter))


# Filters have no other public form than their text.
COMPARISON = re.compile(r'(\w+) (==|>=|<=|>|<) (?:"([^"\\]*)"|(\d{4}-\d\d-\d\d)|(\d+))')

CONTAINED = re.compile(r"if_else\(is_valid\((\w+)\), is_in\(\1, \{value_set=\w+:\[([^\]]*)\]")

TEXT = re.compile(r'"([^"\\]*)"')


def _read(text):
    """The conditions of a filter that are understood."""
    parts = _parts(text)
    if len(parts) > 1 and parts[1] == "and":
        yield from _read(parts[0])
        yield from _read(parts[2])
    elif len(parts) > 1:
        yield from _pushdown.either(list(_read(parts[0])), list(_read(parts[2])))
    elif found := COMPARISON.fullmatch(parts[0]):
        column, operator, name, day, number = found.groups()
        value = name if name is not None else datetime.date.fromisoformat(day) if day else int(number)
        yield column, {">": ">=", "<": "<="}.get(operator, operator), value
    # A long list is printed with a gap.
    elif (found := CONTAINED.match(parts[0])) and "..." not in parts[0]:
        yield found[1], "in", TEXT.findall(found[2])


def _parts(text):
    """The two sides of ``and`` or ``or``, and the word between them; or the text alone."""
    inner = text[1:-1] if text.startswith("(") and _end(text, 0) == len(text) else text
    at = _end(inner, 0)
    for word in ["and", "or"]:
        if inner.startswith(f" {word} ", at):
            return [inner[:at], word, inner[at + len(word) + 2 :]]
    return [inner]


def _end(text, start):
    """Where a term ends: behind its last parenthesis, outside of quotes."""
    depth, is_quoted, at = 0, False, start
    while at < len(text):
        sign = text[at]
        if sign == "\\":
            at += 1
        elif sign == '"':
            is_quoted = not is_quoted
        elif not is_quoted and sign in "([{":
            depth += 1
        elif not is_quoted and sign in ")]}":
            depth -= 1
            if depth == 0:
                return at + 1
        elif not is_quoted and depth == 0 and text.startswith((" and ", " or "), at):
            return at
        at += 1
    return len(text)
