"""What readers, tables and batches have that other libraries do.

No library is needed until one of these is called.
"""

from html import escape as _escape

SHOWN = 10
"""The rows that a notebook shows."""


def to_polars(self):
    """The rows as a ``polars.DataFrame``."""
    pl = _library("polars", "to_polars")
    return _taken(self, pl.DataFrame)


def to_arrow(self):
    """The rows as a ``pyarrow.Table``."""
    pa = _library("pyarrow", "to_arrow")
    return _taken(self, _arrow_table(pa))


def to_pandas(self):
    """The rows as a ``pandas.DataFrame``, whose columns have Arrow's types: a whole number that may be
    missing stays whole, and a date is a date. Names that repeat are categories."""
    pd, pa = _library("pandas", "to_pandas"), _library("pyarrow", "to_pandas")

    def kept(kind):
        return None if pa.types.is_dictionary(kind) else pd.ArrowDtype(kind)

    return _taken(self, _arrow_table(pa)).to_pandas(types_mapper=kept)


def _library(name, method):
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError as error:
        raise ImportError(f"{method} needs the package {name}: pip install {name}") from error


def _arrow_table(pa):
    return lambda rows: pa.table(pa.record_batch(rows) if hasattr(rows, "__arrow_c_array__") else rows)


def _taken(rows, take):
    """What a library makes of rows. The exception that ended the reading is raised as it is."""
    try:
        return take(rows)
    except Exception:
        error = getattr(rows, "error", None)
        if error is None:
            raise
        raise error from None


def no_array(self, dtype=None, copy=None):
    """Refuses what would put a whole batch into a cell."""
    raise TypeError(
        "a Reader is no array: use reader.to_pandas(), or pd.DataFrame.from_arrow(reader)"
    )


def reader_html(self):
    """The columns; reading is left to who asks for rows."""
    return _table(self.columns, [], "Reader: rows are read when they are asked for")


def table_html(self):
    """The first rows."""
    rows = self.rows(limit=SHOWN)
    count = f"{len(self):,} rows" if len(self) != 1 else "1 row"
    shown = f", of which {SHOWN} are shown" if len(self) > SHOWN else ""
    return _table(self.columns, rows, count + shown)


def _table(columns, rows, caption):
    head = "".join(f"<th>{_escape(name)}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(map(_cell, row.values()))}</tr>" for row in rows)
    return (
        f"<table><caption>{_escape(caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _cell(value):
    text = "" if value is None else ", ".join(value) if isinstance(value, list) else str(value)
    return f"<td>{_escape(text)}</td>"


def equip(reader, table, batch):
    """Gives these methods to the types of the native half."""
    for rows in [reader, table, batch]:
        rows.to_arrow, rows.to_pandas, rows.to_polars = to_arrow, to_pandas, to_polars
    reader.__array__, reader._repr_html_ = no_array, reader_html
    table._repr_html_ = table_html
