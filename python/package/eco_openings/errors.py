"""The exceptions of :mod:`eco_openings`. All of them are an :class:`EcoError`."""

from __future__ import annotations

import difflib

__all__ = [
    "CatalogueError",
    "DatabaseError",
    "EcoError",
    "FenError",
    "FieldError",
    "MoveError",
    "PgnError",
    "SelectionError",
]


class EcoError(Exception):
    """Whatever :mod:`eco_openings` raises by itself."""


class PgnError(EcoError):
    """An input cannot be read, or not to its end.

    ``file`` is its name; ``offset`` is the byte up to which it could be read, in the file as it
    is stored; ``game`` and ``move`` are set if a single game is at fault.
    """

    def __init__(self, message="", file=None, offset=None, game=None, move=None):
        super().__init__(message)
        self.file, self.offset, self.game, self.move = file, offset, game, move


class FenError(EcoError, ValueError):
    """A text is no position. ``field`` (1 to 6) and ``column`` (from 1) say where."""

    def __init__(self, message="", field=None, column=None):
        super().__init__(message)
        self.field, self.column = field, column


class MoveError(EcoError, ValueError):
    """Moves cannot be read or played; the message says which."""


class CatalogueError(EcoError):
    """Openings cannot be read. ``file`` is the file, ``faults`` has a text for each bad line."""

    def __init__(self, message="", file=None, faults=()):
        super().__init__(message)
        self.file, self.faults = file, list(faults)


class DatabaseError(EcoError):
    """A position database cannot be read. ``file`` is its name."""

    def __init__(self, message="", file=None):
        super().__init__(message)
        self.file = file


class FieldError(EcoError, ValueError):
    """A field, column or option has no such name. ``suggestions`` are the nearest ones."""

    def __init__(self, message="", name=None, known=()):
        self.name, self.suggestions = name, []
        if name is not None:
            self.suggestions = difflib.get_close_matches(name, known, n=3, cutoff=0.6)
        if self.suggestions:
            message = f"{message}; did you mean {' or '.join(self.suggestions)}?"
        super().__init__(message)


class SelectionError(EcoError, ValueError):
    """A condition of a selection cannot be read. ``name`` is the condition."""

    def __init__(self, message="", name=None):
        super().__init__(message)
        self.name = name
