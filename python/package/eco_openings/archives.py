"""Archives as parts, wherever they are: what several machines need to share them.

>>> from eco_openings import archives
>>> parts = archives.parts("data/games/famous.pgn", size=5000)
>>> len(parts), parts[0].offset, parts[-1].compression
(3, 0, 'plain')
>>> sum(len(archives.classify(part, fields="eco").read_all()) for part in parts)
30

Paths are as everywhere in the package; ``storage_options`` are those of ``fsspec``. The parts are tuples, which every machine can be sent.
"""

import contextlib
import os
from typing import NamedTuple

from . import _eco, _paths
from . import classify as _classify
from ._paths import file_system as _file_system
from ._paths import is_far as _is_far
from ._paths import open_far as _open_far

__all__ = [
    "ArchivePart",
    "classify",
    "fetch",
    "find",
    "gather",
    "has_files",
    "open_file",
    "open_part",
    "parts",
    "read_size",
    "remove",
    "remove_folder",
    "remove_unfinished",
    "rename",
]

UNFINISHED = ".tmp"
"""The ending of files that are being written."""

READ_AHEAD = 4 << 20
"""The bytes that are asked of a store at once."""


class ArchivePart(NamedTuple):
    """A part of a file: a range of its bytes as they are stored."""

    path: str
    offset: int
    length: int
    compression: str


def find(paths, storage_options=None):
    """The files that paths, folders and patterns stand for, in the order of their names.

    Raises FileNotFoundError if one of them stands for nothing.
    """
    found = _paths.find(paths, storage_options)
    return [path if _is_far(path) else os.path.abspath(path) for path in found]


def _near(path):
    return os.path.abspath(_paths.near(path))


def parts(paths, *, size, storage_options=None):
    """The parts of files, each of about ``size`` stored bytes, as ArchivePart. ``size`` is a number,
    or one with k, m or g: ``"64m"``.

    The games that begin in the parts are the games of the files, once each. A file that cannot be
    cut is one part.
    """
    size = read_size(size)
    listed = []
    for path in find(paths, storage_options):
        if _is_far(path):
            # Few bytes of each frame are read, so nothing is read ahead.
            with _open_far(path, storage_options, cache_type="none") as file:
                found = _eco.parts(file, size=size)
        else:
            found = _eco.parts(path, size=size)
        listed += [ArchivePart(path, part.offset, part.length, part.compression) for part in found]
    return listed


def read_size(size, name="size"):
    """A number of bytes: 1000, "1000" or "64m".

    Raises ValueError if it is none; ``name`` is that of the argument.
    """
    text = str(size).strip().lower().removesuffix("b")
    unit = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}.get(text[-1:], 1)
    digits = text[:-1] if unit > 1 else text
    if not (digits.isascii() and digits.isdigit()) or int(digits) == 0:
        raise ValueError(f"{name} is a number of bytes, such as 64m, not {size!r}")
    return int(digits) * unit


def gather(parts, size):
    """Neighbouring parts put together, as long as they are not longer than ``size``."""
    groups, length = [], 0
    for part in parts:
        if not groups or length + part.length > size:
            groups.append([])
            length = 0
        groups[-1].append(part)
        length += part.length
    return groups


@contextlib.contextmanager
def open_part(part, storage_options=None):
    """A part to read: what ``classify`` and ``tag`` take as games."""
    if not _is_far(part.path):
        yield _eco.Part(part.path, part.offset, part.length)
        return
    with _open_far(part.path, storage_options, block_size=READ_AHEAD) as file:
        yield _eco.Part(file, part.offset, part.length, name=part.path)


def classify(part, *, storage_options=None, **options):
    """The reader that :func:`eco_openings.classify` gives, of one part."""
    if not _is_far(part.path):
        return _classify(_eco.Part(part.path, part.offset, part.length), **options)
    file = _open_far(part.path, storage_options, block_size=READ_AHEAD)
    return _classify(_eco.Part(file, part.offset, part.length, name=part.path), **options)


def open_file(path, mode, storage_options=None):
    """A file, for reading or writing bytes."""
    if _is_far(path):
        return _open_far(path, storage_options, mode)
    if "w" in mode:
        os.makedirs(os.path.dirname(_near(path)), exist_ok=True)
    return open(_near(path), mode)


def has_files(folder, storage_options=None):
    """Whether there is anything in a folder, or in its place, but unfinished files (``.tmp``)."""
    if _is_far(folder):
        files, inner = _file_system(folder, storage_options)
        names = files.find(inner) if files.exists(inner) else []
    elif os.path.isdir(_near(folder)):
        names = os.listdir(_near(folder))
    else:
        return os.path.exists(_near(folder))
    return any(not name.endswith(UNFINISHED) for name in names)


def remove_unfinished(folder, storage_options=None):
    """Removes the files of a folder that are unfinished (``.tmp``)."""
    with contextlib.suppress(Exception):
        if _is_far(folder):
            files, inner = _file_system(folder, storage_options)
            names = [files.unstrip_protocol(name) for name in files.find(inner)]
        else:
            names = [os.path.join(_near(folder), name) for name in os.listdir(_near(folder))]
        for name in names:
            if name.endswith(UNFINISHED):
                remove(name, storage_options)


def rename(path, target, storage_options=None):
    """Gives a file its name. What had it before is replaced."""
    if _is_far(path):
        files, inner = _file_system(path, storage_options)
        files.mv(inner, _file_system(target, storage_options)[1])
    else:
        os.replace(_near(path), _near(target))


def fetch(path, folder, storage_options=None):
    """A local path of a file: of a copy in ``folder`` if it is in a store."""
    if not _is_far(path):
        return _near(path)
    files, inner = _file_system(path, storage_options)
    local = os.path.join(folder, os.path.basename(inner))
    files.get_file(inner, local)
    return local


def remove_folder(folder, storage_options=None):
    """Removes a folder, if it is there and empty. A store has no empty folders."""
    if not _is_far(folder):
        with contextlib.suppress(OSError):
            os.rmdir(_near(folder))


def remove(path, storage_options=None):
    """Removes a file, if it is there and can be removed."""
    with contextlib.suppress(Exception):
        if _is_far(path):
            files, inner = _file_system(path, storage_options)
            files.rm_file(inner)
        else:
            os.remove(_near(path))
