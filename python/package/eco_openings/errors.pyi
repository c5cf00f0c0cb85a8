class EcoError(Exception): ...

class ArgumentError(EcoError, ValueError): ...

class PgnError(EcoError):
    file: str | None
    offset: int | None
    game: int | None
    move: str | None

class FenError(EcoError, ValueError):
    field: int | None
    column: int | None

class MoveError(EcoError, ValueError):
    move: str | None

class CatalogueError(EcoError):
    file: str | None
    faults: list[str]
    line: int | None
    move: str | None

class DatabaseError(EcoError):
    file: str | None

class FieldError(EcoError, ValueError):
    name: str | None
    suggestions: list[str]

class SelectionError(EcoError, ValueError):
    name: str | None
    suggestions: list[str]
