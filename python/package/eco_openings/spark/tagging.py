"""``tag_files``: archives with the opening in the tags of every game."""

import os
import posixpath
import uuid

import pyarrow as pa

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

SCHEMA = "path string, source string, part bigint, " + ", ".join(f"{n} bigint" for n in COUNTS)


def tag_files(
    spark,
    inputs,
    output_folder,
    *,
    part_size=PART_SIZE,
    db=None,
    level=None,
    storage_options=None,
    **options,
):
    """Writes the opening into the tags of every game, part by part, on the workers.

    Each input has a folder of its own in ``output_folder``, with a file for each of its parts:
    ``games.pgn.zst/00000.pgn.zst`` and so on. The files hold frames in the layout of ``pzstd``; one
    after the other (``cat output/games.pgn.zst/*.pgn.zst``) they are one archive, whose unpacked
    bytes are those that ``eco tag`` writes. A file is there once it is complete.

    ``options`` are those of ``eco_openings.tag``: names, only, strip, clear_unknown, move_order,
    mark, extended_tag, select. ``db`` is the path of a position database, which the driver reads.
    ``storage_options`` are for inputs and outputs.

    Returns rows of path, source, part and what ``eco_openings.tag`` counts, in the order of the
    parts. Raises FileExistsError if a folder of an input is not empty.
    """
    parts = archives.parts(inputs, size=part_size, storage_options=storage_options)
    folders = _folders(parts, output_folder)
    for folder in dict.fromkeys(folders.values()):
        if archives.has_files(folder, storage_options):
            raise FileExistsError(17, "there are files already", folder)
    numbers = {}
    tasks = []
    for part in parts:
        number = numbers[part.path] = numbers.get(part.path, -1) + 1
        tasks.append((part, posixpath.join(folders[part.path], f"{number:05}.pgn.zst")))
    shipped = _catalogue.ship(db, storage_options)

    def run(batches):
        for batch in batches:
            for task in batch["id"].to_pylist():
                part, path = tasks[task]
                counts = tag_part(part, path, shipped, level, storage_options, options)
                row = {"path": [path], "source": [part.path], "part": [part.offset]}
                yield pa.record_batch(row | {name: [counts[name]] for name in COUNTS})

    # A task for each part.
    numbered = spark.range(0, len(tasks), 1, len(tasks))
    rows = numbered.mapInArrow(run, SCHEMA).collect()
    order = {path: at for at, (_, path) in enumerate(tasks)}
    return sorted(rows, key=lambda row: order[row["path"]])


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
    """Tags a part into a file. A task that is tried again writes the same file again."""
    temporary = f"{path}.{uuid.uuid4().hex}.tmp"
    try:
        with (
            archives.open_part(part, storage_options) as games,
            archives.open_file(temporary, "wb", storage_options) as file,
            FrameWriter(file, level=level) as output,
        ):
            counts = _tag(games, output, db=_catalogue.unpack(shipped), threads=1, **options)
        archives.rename(temporary, path, storage_options)
    except BaseException:
        archives.remove(temporary, storage_options)
        raise
    return {name: getattr(counts, name) for name in COUNTS}
