"""Rows about games in the types of Spark, which has neither unsigned numbers nor dictionaries."""

import sys

import pyarrow as pa

from .. import _pushdown, archives
from .. import classify as _classify

PART, DAMAGE = "part", "damage"
"""Columns that are made here: where the part begins, and why it could not be read to its end."""

def read_fields(text):
    """The names of fields in a list that is separated by commas.

    Raises ValueError if there is none: rows without columns cannot be counted.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise ValueError(f"fields names no column: {text!r}; leave it out for the default columns")
    return names


def fields_of(columns):
    """The fields that are needed for these columns."""
    return _pushdown.fields_of(name for name in columns if name not in (PART, DAMAGE))


def schema_of(fields):
    """The columns of these fields, in the types of Spark.

    Raises FieldError if a name is unknown, and ValueError if two columns have one name.
    """
    columns = []
    for name in fields:
        if name == PART:
            columns.append(pa.field(PART, pa.int64()))
        elif name == DAMAGE:
            columns.append(pa.field(DAMAGE, pa.string()))
        else:
            columns += [
                pa.field(column.name, _spark_type(column.type))
                for column in pa.schema(_classify(b"", fields=name))
            ]
    names = [column.name for column in columns]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"fields gives the column {name} twice; name it once")
    return pa.schema(columns)


def _spark_type(kind):
    if pa.types.is_dictionary(kind):
        return pa.string()
    if pa.types.is_unsigned_integer(kind):
        return pa.int32() if kind.bit_width < 32 else pa.int64()
    return kind


def batches(part, schema, *, catalogue=None, select=None, mode="failfast", storage_options=None):
    """The rows of a part, as record batches of this schema.

    With the mode "permissive", a part that cannot be read to its end has its games up to there;
    the reason is in a row of its own if there is a column ``damage``, and on standard error.
    """
    fields = fields_of(schema.names)
    errors = "skip" if mode == "permissive" else "raise"
    reader = archives.classify(
        part,
        fields=fields,
        select=select,
        catalogue=catalogue,
        threads=1,
        errors=errors,
        storage_options=storage_options,
    )
    for batch in reader:
        yield _cast(pa.record_batch(batch), schema, part)
    for error in reader.errors:
        reason = f"part {part.offset}:{part.length} of {part.path}: {error}"
        print(f"eco_openings: {reason}", file=sys.stderr, flush=True)
        if DAMAGE in schema.names:
            yield _damage_row(schema, part, str(error))


def _cast(batch, schema, part):
    columns = []
    for field in schema:
        if field.name == PART:
            column = pa.repeat(pa.scalar(part.offset, field.type), batch.num_rows)
        elif field.name == DAMAGE:
            column = pa.nulls(batch.num_rows, field.type)
        else:
            column = batch[field.name]
            if pa.types.is_dictionary(column.type):
                column = column.dictionary_decode()
            column = column.cast(field.type)
        columns.append(column)
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def _damage_row(schema, part, reason):
    known = {"source": part.path, PART: part.offset, DAMAGE: reason}
    columns = [pa.array([known.get(field.name)], field.type) for field in schema]
    return pa.RecordBatch.from_arrays(columns, schema=schema)
