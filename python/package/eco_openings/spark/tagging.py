"""``tag_files``: archives with the opening in the tags of every game."""

import io
import os
import posixpath
import uuid
from concurrent.futures import ThreadPoolExecutor

import pyarrow as pa
from pyspark.sql import Row

from .. import FrameWriter, archives
from .. import tag as _tag
from . import _catalogue

__all__ = ["tag_files"]

PART_SIZE = 64 << 20

COUNTS = (
    "games",
    "changed",
    "correct",
    "no_opening",
    "excluded",
    "no_tags",
    "damaged",
    "errors",
)

SCHEMA = "path string, written string, source string, part bigint, " + ", ".join(
    f"{n} bigint" for n in COUNTS
)


def tag_files(
    spark,
    inputs,
    output_folder,
    *,
    part_size=PART_SIZE,
    catalogue=None,
    level=None,
    storage_options=None,
    **options,
):
    """Writes the opening into the tags of every game, part by part, on the workers.

    Each input has a folder of its own in ``output_folder``, with a file for each of its parts:
    ``games.pgn.zst/00000.pgn.zst`` and so on. The files hold frames in the layout of ``pzstd``; one
    after the other (``cat output/games.pgn.zst/*.pgn.zst``) they are one archive, whose unpacked
    bytes are those that ``eco tag`` writes. The files have other names, which end in ``.tmp``, until
    all parts are written; if one cannot be, none is there.

    ``part_size``: the stored bytes of a part, as a number or with k, m or g: ``"64m"``.

    ``options`` are those of ``eco_openings.tag``: names, only, strip, add and select. ``catalogue``
    is the path of a file of openings or of a position database, which the driver reads.
    ``storage_options`` are for inputs and outputs.

    Returns rows of path, source, part and what ``eco_openings.tag`` counts, in the order of the
    parts. Raises FileExistsError if a folder of an input is not empty.
    """
    # What is wrong with an option is known before the job begins.
    _tag(b"", io.BytesIO(), threads=1, **options)
    size = archives.read_size(part_size, "part_size")
    parts = archives.parts(inputs, size=size, storage_options=storage_options)
    folders = _folders(parts, output_folder)
    for folder in dict.fromkeys(folders.values()):
        if archives.has_files(folder, storage_options):
            raise FileExistsError(17, "there are files already", folder)
    numbers = {}
    tasks = []
    for part in parts:
        number = numbers[part.path] = numbers.get(part.path, -1) + 1
        tasks.append((part, posixpath.join(folders[part.path], f"{number:05}.pgn.zst")))
    shipped = _catalogue.ship(catalogue, storage_options)

    def run(batches):
        for batch in batches:
            for task in batch["id"].to_pylist():
                part, path = tasks[task]
                written, counts = tag_part(part, path, shipped, level, storage_options, options)
                row = {"path": [path], "written": [written], "source": [part.path], "part": [part.offset]}
                yield pa.record_batch(row | {name: [counts[name]] for name in COUNTS})

    # A task for each part.
    numbered = spark.range(0, len(tasks), 1, len(tasks))
    found = numbered.mapInArrow(run, SCHEMA)
    try:
        rows = found.collect()
        _rename(rows, storage_options)
    finally:
        # Of a job that failed, and of tasks that were tried twice.
        for folder in dict.fromkeys(folders.values()):
            archives.remove_unfinished(folder, storage_options)
    order = {path: at for at, (_, path) in enumerate(tasks)}
    rows.sort(key=lambda row: order[row["path"]])
    return [_without_written(row) for row in rows]


def _rename(rows, storage_options):
    """Gives the files their names. A store may copy them for that, so several are renamed at once."""

    def rename(row):
        archives.rename(row["written"], row["path"], storage_options)

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(rename, rows))


def _without_written(row):
    return Row(**{name: value for name, value in row.asDict().items() if name != "written"})


def _folders(parts, output_folder):
    """A folder for each input. Two inputs of one name have numbers."""
    folders = {}
    for path in dict.fromkeys(part.path for part in parts):
        name = posixpath.basename(path.replace(os.sep, "/"))
        folder, number = posixpath.join(output_folder, name), 2
        while folder in folders.values():
            folder, number = posixpath.join(output_folder, f"{number}-{name}"), number + 1
        folders[path] = folder
    return folders


def tag_part(part, path, shipped, level, storage_options, options):
    """Tags a part into an unfinished file beside ``path``, and returns its name and the counts."""
    written = f"{path}.{uuid.uuid4().hex}{archives.UNFINISHED}"
    try:
        with (
            archives.open_part(part, storage_options) as games,
            archives.open_file(written, "wb", storage_options) as file,
            FrameWriter(file, level=level) as output,
        ):
            counts = _tag(games, output, catalogue=_catalogue.unpack(shipped), threads=1, **options)
    except BaseException:
        archives.remove(written, storage_options)
        raise
    return written, {name: getattr(counts, name) for name in COUNTS}
