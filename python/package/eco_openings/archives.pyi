from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from os import PathLike
from typing import IO, Any, NamedTuple, TypeAlias

from . import Part, Reader

_Options: TypeAlias = Mapping[str, Any] | None
_Paths: TypeAlias = str | PathLike[str] | Sequence[str | PathLike[str]]

class ArchivePart(NamedTuple):
    path: str
    offset: int
    length: int
    compression: str

def find(paths: _Paths, storage_options: _Options = None) -> list[str]: ...
def parts(
    paths: _Paths, *, size: int, storage_options: _Options = None
) -> list[ArchivePart]: ...
def gather(parts: Sequence[ArchivePart], size: int) -> list[list[ArchivePart]]: ...
def open_part(
    part: ArchivePart, storage_options: _Options = None
) -> AbstractContextManager[Part]: ...
def classify(
    part: ArchivePart, *, storage_options: _Options = None, **options: Any
) -> Reader: ...
def open_file(path: str, mode: str, storage_options: _Options = None) -> IO[bytes]: ...
def has_files(folder: str, storage_options: _Options = None) -> bool: ...
def rename(path: str, target: str, storage_options: _Options = None) -> None: ...
def remove(path: str, storage_options: _Options = None) -> None: ...
