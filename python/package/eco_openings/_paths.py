"""Paths as people give them: ``~``, patterns, folders, and URLs that ``fsspec`` reads.

Whatever takes a file takes it by way of this module. A path is that of a local file or folder, may
have ``*``, ``?`` and ``[...]``, and may be a URL, such as ``s3://bucket/2026/*.pgn.zst``.
``storage_options`` are those of ``fsspec``.
"""

import glob
import os

from . import _eco
from .errors import ArgumentError

ENDINGS = tuple(_eco._endings())

BLOCK = 1 << 18
"""The bytes of a store that are read at once, where single frames are looked at."""


class FarFile:
    """A file in a store, which is opened each time that it is read."""

    def __init__(self, path, storage_options=None):
        self.full_name, self.storage_options = path, storage_options

    def open(self):
        return open_far(self.full_name, self.storage_options, block_size=BLOCK)


class FarOutput:
    """A file that is to be written to a store."""

    def __init__(self, path):
        self.full_name = path

    def open(self):
        return _Writing(self.full_name)


class _Writing:
    """A file of a store, compressed as its name says."""

    def __init__(self, path):
        self.files, self.inner = file_system(path)
        self.file = self.files.open(self.inner, "wb", compression="infer")
        self.write, self.close = self.file.write, self.file.close

    def discard(self):
        """Leaves nothing of what could not be finished."""
        self.close()
        self.files.rm_file(self.inner)


def games(path):
    """The files, folders and far files that a path stands for: what games are read from.

    Raises FileNotFoundError if a pattern or a URL stands for nothing.
    """
    path = os.fspath(path)
    if is_far(path):
        return [FarFile(name) for name in find([path])]
    path = near(path)
    return find([path]) if is_pattern(path) else [path]


def local(path):
    """The path of a file on this machine: of a copy if it is in a store.

    The copy is there as long as the process.
    """
    path = os.fspath(path)
    return _copies.of(path) if is_far(path) else near(path)


def written(path):
    """The path of a file that is written on this machine."""
    path = os.fspath(path)
    if is_far(path):
        raise ArgumentError(f"{path}: this file is written on this machine, and copied from there")
    return near(path)


def output(path):
    """What is written: a path of this machine, or a far file."""
    path = os.fspath(path)
    return FarOutput(path) if is_far(path) else near(path)


def is_far(path):
    return "://" in path and not path.startswith("file://")


def near(path):
    """The path of a local file, without ``~`` and ``file://``."""
    if path.startswith("file:"):
        path = "/" + path.removeprefix("file:").lstrip("/")
    return os.path.expanduser(path)


def is_pattern(path):
    return glob.has_magic(path) and not os.path.lexists(path)


def has_games(name):
    """Whether a file that is found in a folder has games, by its name."""
    return name.lower().endswith(ENDINGS)


def find(paths, storage_options=None):
    """The files that paths, folders and patterns stand for, in the order of their names.

    Raises FileNotFoundError if one of them stands for nothing.
    """
    found = []
    for path in [paths] if isinstance(paths, (str, os.PathLike)) else paths:
        path = os.fspath(path)
        files = _find_far(path, storage_options) if is_far(path) else _find_near(near(path))
        if not files:
            raise FileNotFoundError(2, "no games there", path)
        found += files
    return found


def _find_near(path):
    if os.path.isdir(path):
        below = (os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names)
        return sorted(name for name in below if has_games(name))
    if is_pattern(path):
        found = sorted(glob.glob(path, recursive=True))
        return [file for name in found for file in _find_near(name)]
    return [path] if os.path.exists(path) else []


def _find_far(path, storage_options):
    if path.startswith(("http://", "https://")) and "*" not in path:
        # There, ? begins a query, and whether there is something costs as much as reading it.
        return [path]
    files, inner = file_system(path, storage_options)
    found = sorted(files.glob(inner)) if is_pattern(inner) else [inner]
    names = []
    for name in found:
        if files.isdir(name):
            names += sorted(below for below in files.find(name) if has_games(below))
        elif files.exists(name):
            names.append(name)
    return [files.unstrip_protocol(name) for name in names]


def file_system(path, storage_options=None):
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise ImportError(f"{path} needs the package fsspec: pip install fsspec") from error
    return url_to_fs(path, **(storage_options or {}))


def open_far(path, storage_options=None, mode="rb", **options):
    files, inner = file_system(path, storage_options)
    return files.open(inner, mode, **options)


class _Copies:
    """Local copies of far files."""

    def __init__(self):
        self.folder, self.paths = None, {}

    def of(self, path):
        import tempfile

        files, inner = file_system(path)
        # Another one once the file has changed.
        version = (path, files.ukey(inner))
        if version not in self.paths:
            self.folder = self.folder or tempfile.TemporaryDirectory(prefix="eco-")
            folder = tempfile.mkdtemp(dir=self.folder.name)
            self.paths[version] = os.path.join(folder, os.path.basename(inner))
            files.get_file(inner, self.paths[version])
        return self.paths[version]


_copies = _Copies()
