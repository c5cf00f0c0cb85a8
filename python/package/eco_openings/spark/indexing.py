"""``index_files``: archives as a collection of a position database."""

import contextlib
import os
import posixpath
import shutil
import tempfile
import uuid

import pyarrow as pa
from pyspark.sql import Row
from pyspark.sql.pandas.types import from_arrow_schema

from .. import archives
from .. import index as _index
from . import _catalogue

__all__ = ["index_files"]

PART_SIZE = 256 << 20

SETTINGS = ("name", "depth", "same_game")

SCHEMA = pa.schema(
    {"task": pa.int64(), "path": pa.string(), "games": pa.int64(), "known": pa.int64()}
)

COUNTS = (
    "games",
    "added",
    "known",
    "without_result",
    "other_variants",
    "from_position",
    "cut_short",
    "depth",
)


def index_files(
    spark,
    inputs,
    db,
    *,
    part_size=PART_SIZE,
    folder=None,
    catalogue=None,
    storage_options=None,
    **options,
):
    """Keeps the games of archives in a collection of a position database: each worker makes
    databases of parts, and the driver joins them in the order of the games. The answers are those
    of a database that ``eco_openings.index`` makes of the archives.

    ``db`` is a file of the driver, which is made or extended. The databases of parts are written to
    ``folder``, a new or empty folder that the workers and the driver share, or a URL; by default it
    is ``db`` with ``.parts`` at its end. They are removed in the end, and if the job fails.

    ``part_size``: the stored bytes of a part, as a number or with k, m or g: ``"256m"``. Parts that
    are smaller share a database.

    ``options`` are those of ``eco_openings.index``: name, depth, same_game and select.
    ``catalogue`` is the path of a file of openings or of a position database, which the driver
    reads. ``storage_options`` are for inputs and databases of parts.

    Returns a row of what ``eco_openings.index`` counts. Raises FileExistsError if ``folder`` is not
    empty.
    """
    size = archives.read_size(part_size, "part_size")
    parts = archives.parts(inputs, size=size, storage_options=storage_options)
    groups = archives.gather(parts, size)
    folder = f"{os.path.abspath(db)}.parts" if folder is None else folder
    if archives.has_files(folder, storage_options):
        raise FileExistsError(17, "there are files already", folder)
    shipped = _catalogue.ship(catalogue, storage_options)
    # What is wrong with an option or with the database is known before the job begins. No game is
    # read, so nothing is written.
    catalogue = _catalogue.unpack(shipped)
    options["depth"] = _index(b"", db, catalogue=catalogue, threads=1, **options).depth
    settings = {name: options[name] for name in SETTINGS if name in options}

    def run(batches):
        for batch in batches:
            for task in batch["id"].to_pylist():
                path = posixpath.join(folder, f"{task:05}.{uuid.uuid4().hex}{archives.UNFINISHED}")
                counts = index_parts(groups[task], path, shipped, storage_options, options)
                row = {"task": [task], "path": [path if counts.games > 0 else None]}
                row |= {"games": [counts.games], "known": [counts.known]}
                yield pa.record_batch(row, SCHEMA)

    # A task for each database.
    numbered = spark.range(0, len(groups), 1, len(groups))
    found = numbered.mapInArrow(run, from_arrow_schema(SCHEMA))
    try:
        rows = sorted(found.collect(), key=lambda row: row["task"])
        paths = [row["path"] for row in rows if row["path"] is not None]
        joined = _join(paths, db, storage_options, settings)
    finally:
        # Also those of tasks that were tried twice.
        archives.remove_unfinished(folder, storage_options)
        archives.remove_folder(folder, storage_options)
    games, known = (sum(row[name] for row in rows) for name in ("games", "known"))
    counts = {name: getattr(joined, name) for name in COUNTS}
    return Row(**counts | {"games": games, "known": known + joined.known})


def index_parts(parts, path, shipped, storage_options, options):
    """Makes a database of parts, unless no game begins in them, and returns its counts."""
    # SQLite needs a local file.
    with tempfile.TemporaryDirectory(prefix="eco-") as local, contextlib.ExitStack() as opened:
        games = [opened.enter_context(archives.open_part(part, storage_options)) for part in parts]
        made = os.path.join(local, "part.db")
        counts = _index(games, made, catalogue=_catalogue.unpack(shipped), threads=1, **options)
        if counts.games > 0:
            with open(made, "rb") as file, archives.open_file(path, "wb", storage_options) as copy:
                shutil.copyfileobj(file, copy, 1 << 20)
    return counts


def _join(paths, db, storage_options, settings):
    """Joins databases on the driver."""
    with tempfile.TemporaryDirectory(prefix="eco-") as local:
        near = [archives.fetch(path, local, storage_options) for path in paths]
        return _index(near, db, **settings)
