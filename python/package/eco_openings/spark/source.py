"""``PgnSource``: archives as a data source of Spark."""

import json

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema

from .. import _pushdown, archives
from .. import classify as _classify
from ..errors import EcoError
from . import _catalogue, _rows

__all__ = ["PgnSource"]

FIELDS = "source,part,game,white,black,result,date,eco,opening,ply,transposed,error"
"""The default columns."""

PART_SIZE = 64 << 20

MODES = ("failfast", "permissive")

OPTIONS = {
    "path",
    "paths",
    "fields",
    "catalogue",
    "part_size",
    "mode",
    "select",
    "pushdown",
    "storage_options",
}
"""The options that are no conditions of a selection."""

PATHS = {"path", "paths"}
"""Those that Spark sets."""


class PgnSource(DataSource):
    """PGN archives, read in parts by the workers.

    ``spark.dataSource.register(PgnSource)`` makes it known as ``pgn``. ``load`` takes a path or
    several: files, folders, patterns, and URLs that ``fsspec`` reads. Options:

    ``fields``: the columns, separated by commas, as for ``eco_openings.classify``; also ``part``,
    the offset of the part in its file, and ``damage``. Only these are read. A schema that is given
    to ``spark.read.schema`` stands for them.

    ``catalogue``: a file of openings, or a position database, whose masters give the names. The
    driver sends it to the workers; beyond 64 MiB they open it by its path.

    ``part_size``: the stored bytes of a part, 64 MiB by default, or a number with k, m or g. Parts
    that are smaller share a partition.

    ``mode``: ``failfast`` ends the job where an archive cannot be read to its end; ``permissive``
    keeps the games before, with the reason in the column ``damage`` of a row of its own, if there
    is such a column, and in the log of the executor.

    ``select``: conditions as a JSON object, as ``eco_openings.classify`` has them. A condition
    alone may be an option of its own: ``.option("player", "Tal, Mihail")``.

    ``pushdown``: ``true`` lets filters of a query select games before their rows are made. The session
    must have ``spark.sql.python.filterPushdown.enabled`` (Spark 4.1); Spark refuses it otherwise.

    ``storage_options``: what ``fsspec`` needs, as a JSON object.
    """

    @classmethod
    def name(cls):
        return "pgn"

    def schema(self):
        fields = _rows.read_fields(self.options.get("fields", FIELDS))
        return from_arrow_schema(_rows.schema_of(fields))

    def reader(self, schema):
        options = _Options(self.options)
        return (PushingReader if options.pushdown else PgnReader)(schema, options)


class _Options:
    """The options, checked."""

    def __init__(self, options):
        self.storage_options = _object(options, "storage_options")
        self.paths = json.loads(options["paths"]) if "paths" in options else [options.get("path")]
        if self.paths == [None]:
            raise ValueError("name what is read: load('archive/*.pgn.zst')")
        self.part_size = archives.read_size(options.get("part_size", PART_SIZE), "part_size")
        self.mode = options.get("mode", MODES[0]).lower()
        if self.mode not in MODES:
            raise ValueError(f"mode is failfast or permissive, not {self.mode!r}")
        self.pushdown = options.get("pushdown", "false").lower() in ("true", "1", "yes")
        named = {name.lower(): value for name, value in options.items()}
        self.select = {name: named[name] for name in named if name not in OPTIONS}
        self.select.update(_object(options, "select") or {})
        _check_select(self.select)
        self.catalogue = _catalogue.ship(options.get("catalogue"), self.storage_options)


def _check_select(select):
    """What is wrong with a condition is known before the job begins."""
    try:
        _classify(b"", select=select)
    except EcoError as error:
        # An option with a wrong letter is taken for a condition.
        error.add_note("the options that are no conditions: " + ", ".join(sorted(OPTIONS - PATHS)))
        raise


def _object(options, name):
    text = options.get(name)
    if text is None:
        return None
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError(f"{name} is a JSON object, not {text}")
    return value


class PgnPartition(InputPartition):
    """Parts that one task reads, one after the other."""

    def __init__(self, parts):
        super().__init__([tuple(part) for part in parts])

    def parts(self):
        return [archives.ArchivePart(*part) for part in self.value]


class PgnReader(DataSourceReader):
    """Reads archives with the columns of a schema."""

    def __init__(self, schema, options):
        self.options = options
        self.columns = _arrow_schema(schema)
        # A column that there is not is known before the job begins, and one of another type.
        known = _rows.schema_of(_rows.fields_of(self.columns.names))
        known = {field.name: field.type for field in known}
        known |= {_rows.PART: pa.int64(), _rows.DAMAGE: pa.string()}
        for field in self.columns:
            if field.name not in known:
                raise EcoError(f"no field gives the column {field.name}")
            if not _widens(known[field.name], field.type):
                raise EcoError(
                    f"column {field.name} is {known[field.name]}, and cannot be {field.type}"
                )

    def partitions(self):
        options = self.options
        parts = archives.parts(
            options.paths, size=options.part_size, storage_options=options.storage_options
        )
        return [PgnPartition(group) for group in archives.gather(parts, options.part_size)]

    def read(self, partition):
        options = self.options
        catalogue = _catalogue.unpack(options.catalogue)
        for part in partition.parts():
            yield from _rows.batches(
                part,
                self.columns,
                catalogue=catalogue,
                select=options.select,
                mode=options.mode,
                storage_options=options.storage_options,
            )


class PushingReader(PgnReader):
    """A reader that filters of queries select games for. Spark refuses it where they are not passed."""

    def pushFilters(self, filters):
        conditions = [condition for given in filters for condition in conditions_of(given)]
        self.options.select = _pushdown.narrowed(self.options.select, conditions)
        # Spark applies all of them again: what is selected may be more.
        return filters


OPERATORS = {
    "EqualTo": "==",
    "EqualNullSafe": "==",
    "GreaterThan": ">=",
    "GreaterThanOrEqual": ">=",
    "LessThan": "<=",
    "LessThanOrEqual": "<=",
    "In": "in",
    "StringStartsWith": "prefix",
}


def conditions_of(given):
    """The conditions of a filter of Spark; none if it has no counterpart here."""
    operator = OPERATORS.get(type(given).__name__)
    if operator and len(given.attribute) == 1:
        yield given.attribute[0], operator, given.value


def _widens(known, wanted):
    """Whether every value of a type is one of another."""
    integers = pa.types.is_integer(known) and pa.types.is_integer(wanted)
    return known == wanted or (integers and wanted.bit_width >= known.bit_width)


def _arrow_schema(schema):
    """What Spark expects of the batches. Releases differ in the arguments."""
    try:
        return to_arrow_schema(schema, timezone="UTC")
    except TypeError:
        return to_arrow_schema(schema)
