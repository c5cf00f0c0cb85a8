from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, overload

from . import errors as errors
from .errors import (
    ArgumentError as ArgumentError,
    CatalogueError as CatalogueError,
    DatabaseError as DatabaseError,
    EcoError as EcoError,
    FenError as FenError,
    FieldError as FieldError,
    MoveError as MoveError,
    PgnError as PgnError,
    SelectionError as SelectionError,
)

__version__: str

class _Board(Protocol):
    def fen(self) -> str: ...

class _Game(Protocol):
    def mainline_moves(self) -> Iterable[Any]: ...

class _OpenFile(Protocol):
    @property
    def full_name(self) -> str: ...
    def open(self) -> Any: ...

class _Readable(Protocol):
    def read(self, size: int, /) -> bytes | str: ...

class _Seekable(Protocol):
    def seek(self, offset: int, whence: int = 0, /) -> int: ...
    def read(self, size: int, /) -> bytes: ...

class _Writable(Protocol):
    def write(self, data: bytes, /) -> object: ...

class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

_Column: TypeAlias = _ArrowArray | _ArrowStream
_Path: TypeAlias = str | PathLike[str]
_Bytes: TypeAlias = bytes | bytearray | memoryview
_Source: TypeAlias = _Path | _Bytes | _Readable | _OpenFile | Part
# A path, bytes, an open file, several of them, or an iterator of bytes.
_Games: TypeAlias = _Source | Iterable[_Source] | Iterator[bytes]
_Position: TypeAlias = str | _Board | _Game
_Moves: TypeAlias = str | _Bytes | Iterable[Any] | _Board | _Game
_EnPassant: TypeAlias = Literal["always", "pseudo-legal", "legal"]
_Progress: TypeAlias = bool | Callable[[int, int, int | None, bool], object]
_Texts: TypeAlias = str | Sequence[str]

# `not` is a keyword, which a class cannot have.
_Not = TypedDict("_Not", {"not": _Texts | Mapping[str, Any]}, total=False)

class _Selection(_Not, total=False):
    player: _Texts
    against: _Texts
    color: Literal["white", "black"]
    eco: _Texts
    opening: _Texts
    result: _Texts
    since: str | date
    until: str | date
    rating: str | tuple[int | None, int | None] | Sequence[int | None]
    rating_of: Literal["player", "opponent"]
    speed: _Texts
    rated: bool
    event: _Texts
    site: _Texts
    variant: _Texts
    game: str | int | tuple[int, int | None] | Sequence[str | int]
    tag: _Texts | Mapping[str, str | int | None | Sequence[str | int | None]]
    min_plies: int
    position: _Texts
    structure: _Texts
    material: _Texts
    lasting: int
    from_position: bool

class Opening:
    @property
    def eco(self) -> str | None: ...
    @property
    def opening(self) -> str: ...
    @property
    def opening_en(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def variation(self) -> str: ...
    @property
    def subvariation(self) -> str: ...
    @property
    def moves(self) -> str | None: ...
    @property
    def key(self) -> str: ...
    @property
    def master(self) -> str: ...

class Verdict:
    @property
    def eco(self) -> str | None: ...
    @property
    def opening(self) -> str | None: ...
    @property
    def family(self) -> str | None: ...
    @property
    def variation(self) -> str | None: ...
    @property
    def subvariation(self) -> str | None: ...
    @property
    def ply(self) -> int | None: ...
    @property
    def transposed(self) -> bool | None: ...
    @property
    def key(self) -> str | None: ...
    @property
    def error(self) -> str | None: ...

class Catalogue:
    @staticmethod
    def builtin() -> Catalogue: ...
    @staticmethod
    def read(paths: _Path | Sequence[_Path], *, lenient: bool = False) -> Catalogue: ...
    @staticmethod
    def open(db: _Path) -> Catalogue: ...
    def in_language(self, lang: str) -> Catalogue: ...
    def name_of(self, position: _Position) -> Opening | None: ...
    def classify_moves(self, moves: _Moves) -> Verdict: ...
    def search(self, text: str, *, limit: int | None = None) -> list[Opening]: ...
    def lookup(self, position: _Position | _Moves) -> dict[str, Any]: ...
    def __len__(self) -> int: ...

_Catalogue: TypeAlias = Catalogue | _Path

class Array:
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def to_list(self) -> list[Any]: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...

class Batch:
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_schema__(self) -> object: ...
    @property
    def columns(self) -> list[str]: ...
    def __len__(self) -> int: ...

class Table:
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    @property
    def columns(self) -> list[str]: ...
    def rows(self) -> list[dict[str, Any]]: ...
    def __len__(self) -> int: ...

class BatchIterator:
    def __iter__(self) -> BatchIterator: ...
    def __next__(self) -> Batch: ...

class Reader:
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def __iter__(self) -> BatchIterator: ...
    def read_all(self) -> Table: ...
    @property
    def columns(self) -> list[str]: ...
    @property
    def error(self) -> BaseException | None: ...
    @property
    def errors(self) -> list[BaseException]: ...

class Indexed:
    @property
    def games(self) -> int: ...
    @property
    def added(self) -> int: ...
    @property
    def known(self) -> int: ...
    @property
    def without_result(self) -> int: ...
    @property
    def other_variants(self) -> int: ...
    @property
    def from_position(self) -> int: ...
    @property
    def cut_short(self) -> int: ...
    @property
    def depth(self) -> int: ...

class Tagged:
    @property
    def games(self) -> int: ...
    @property
    def changed(self) -> int: ...
    @property
    def correct(self) -> int: ...
    @property
    def no_opening(self) -> int: ...
    @property
    def excluded(self) -> int: ...
    @property
    def no_tags(self) -> int: ...
    @property
    def damaged(self) -> int: ...
    @property
    def errors(self) -> int: ...

class Explored:
    @property
    def key(self) -> str: ...
    @property
    def opening(self) -> Opening | None: ...
    @property
    def white(self) -> int: ...
    @property
    def draws(self) -> int: ...
    @property
    def black(self) -> int: ...
    @property
    def ended(self) -> int: ...
    @property
    def moves(self) -> Table: ...
    @property
    def games(self) -> Table: ...

class Explorer:
    def __init__(
        self,
        db: _Path,
        collection: _Texts | None = None,
        *,
        catalogue: _Catalogue | None = None,
    ) -> None: ...
    def query(
        self,
        position: _Position | _Moves | None = None,
        *,
        select: _Selection | None = None,
        limit: int | None = None,
        games: int | None = None,
        sort: Literal["rating", "date"] | None = None,
    ) -> Explored: ...
    def players(self, part: str, *, limit: int = 20) -> list[tuple[str, int]]: ...

class Svg(str):
    def _repr_svg_(self) -> str: ...

def classify(
    games: _Games,
    *,
    fields: _Texts | None = None,
    select: _Selection | None = None,
    collection: _Texts | None = None,
    catalogue: _Catalogue | None = None,
    threads: int | None = None,
    progress: _Progress = False,
    errors: Literal["raise", "skip"] = "raise",
    strict: bool = False,
) -> Reader: ...
def classify_moves(
    movetexts: _Column,
    *,
    fen: _Column | None = None,
    variant: _Column | None = None,
    catalogue: _Catalogue | None = None,
) -> Array: ...
def tag(
    games: _Games,
    output: _Path | _Writable | _OpenFile,
    *,
    names: Literal["full", "split"] | None = None,
    only: Literal["all", "missing", "changed"] | None = None,
    strip: bool | Literal["all", "unknown"] | None = None,
    add: _Texts | None = None,
    select: _Selection | None = None,
    catalogue: _Catalogue | None = None,
    threads: int | None = None,
) -> Tagged: ...
def index(
    games: _Games,
    db: _Path,
    *,
    name: str = "games",
    depth: int | None = None,
    same_game: Literal["strict", "moves"] | None = None,
    select: _Selection | None = None,
    collection: _Texts | None = None,
    catalogue: _Catalogue | None = None,
    threads: int | None = None,
) -> Indexed: ...
def stats(
    games: _Games,
    *,
    by: _Texts | None = None,
    select: _Selection | None = None,
    collection: _Texts | None = None,
    limit: int | None = None,
    totals: bool = False,
    sort: str | None = None,
    min_games: int = 1,
    strengths: bool = False,
    weaknesses: bool = False,
    catalogue: _Catalogue | None = None,
    threads: int | None = None,
) -> Table: ...

class Part:
    def __init__(
        self, file: _Path | _Seekable, offset: int, length: int, *, name: str | None = None
    ) -> None: ...
    @property
    def path(self) -> str: ...
    @property
    def offset(self) -> int: ...
    @property
    def length(self) -> int: ...
    @property
    def compression(self) -> str | None: ...

def parts(
    files: _Path | Sequence[_Path] | _Seekable,
    *,
    size: int | None = None,
    count: int | None = None,
    listing: Literal["blocks", "lengths"] | None = None,
) -> list[Part]: ...

class FrameWriter:
    def __init__(
        self, output: _Writable, *, level: int | None = None, threads: int = 1
    ) -> None: ...
    def write(self, bytes: bytes, /) -> int: ...
    def close(self) -> None: ...
    def __enter__(self) -> FrameWriter: ...
    def __exit__(self, exception: object, value: object, trace: object, /) -> None: ...

def positions(games: _ArrowArray, *, depth: int = 50) -> Batch: ...
def position_hash(position: _Position) -> int: ...
def key(position: _Position) -> str: ...
def check(position: _Position) -> dict[str, Any]: ...
def table(position: _Position) -> dict[str, Any]: ...
@overload
def move(
    position: _Position,
    moves: _Moves,
    *,
    lang: str = "en",
    ply: int | None = None,
    ep: _EnPassant = "always",
) -> dict[str, Any]: ...
@overload
def move(
    position: _Position,
    moves: _Moves,
    *,
    lang: str = "en",
    ply: Literal["all"],
    ep: _EnPassant = "always",
) -> list[dict[str, Any]]: ...
def svg(
    position: _Position,
    *,
    side: Literal["white", "black", "mover"] = "white",
    theme: Literal["wood", "green", "blue", "grey", "night"] = "wood",
    mark: Iterable[Any] | None = None,
    circle: Iterable[str | int] | None = None,
    show: _Texts | None = None,
    title: str = "",
    width: int = 512,
) -> Svg: ...
