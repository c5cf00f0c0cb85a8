"""Archives as parts, wherever they are: what several machines need to share them.

>>> from eco_openings import archives
>>> parts = archives.parts("data/games/famous.pgn", size=5000)
>>> len(parts), parts[0].offset, parts[-1].compression
(3, 0, 'plain')
>>> sum(len(archives.classify(part, fields="eco").read_all()) for part in parts)
30

A path is that of a local file or folder, may have ``*``, ``?`` and ``[...]``, and may be a URL that
``fsspec`` reads, such as ``s3://bucket/2026/*.pgn.zst``. ``storage_options`` are those of ``fsspec``.
The parts are tuples, which every machine can be sent.
"""

import contextlib
import glob
import os
from typing import NamedTuple

from . import _eco
from . import classify as _classify

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

ENDINGS = tuple(_eco._endings())

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
    found = []
    for path in [paths] if isinstance(paths, (str, os.PathLike)) else paths:
        path = os.fspath(path)
        files = _find_far(path, storage_options) if _is_far(path) else _find_near(path)
        if not files:
            raise FileNotFoundError(2, "no games there", path)
        found += files
    return found


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


def _is_far(path):
    return "://" in path and not path.startswith("file://")


def _near(path):
    """The path of a local file."""
    if path.startswith("file:"):
        path = "/" + path.removeprefix("file:").lstrip("/")
    return os.path.abspath(path)


def _find_near(path):
    path = _near(path)
    if os.path.isdir(path):
        below = (os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names)
        return sorted(name for name in below if _has_games(name))
    if glob.has_magic(path) and not os.path.exists(path):
        found = sorted(glob.glob(path, recursive=True))
        return [file for name in found for file in _find_near(name)]
    return [path] if os.path.exists(path) else []


def _find_far(path, storage_options):
    files, inner = _file_system(path, storage_options)
    found = sorted(files.glob(inner)) if glob.has_magic(inner) else [inner]
    names = []
    for name in found:
        if files.isdir(name):
            names += sorted(below for below in files.find(name) if _has_games(below))
        elif files.exists(name):
            names.append(name)
    return [files.unstrip_protocol(name) for name in names]


def _has_games(name):
    return name.lower().endswith(ENDINGS)


def _file_system(path, storage_options):
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise ImportError(f"{path} needs the package fsspec: pip install fsspec") from error
    return url_to_fs(path, **(storage_options or {}))


def _open_far(path, storage_options, mode="rb", **options):
    files, inner = _file_system(path, storage_options)
    return files.open(inner, mode, **options)


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
