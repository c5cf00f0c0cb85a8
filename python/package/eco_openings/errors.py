"""The exceptions of :mod:`eco_openings`. All of them are an :class:`EcoError`."""

from __future__ import annotations

import difflib

__all__ = [
    "ArgumentError",
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


class ArgumentError(EcoError, ValueError):
    """An argument has a value that cannot be meant, such as an output that is an input too."""


class PgnError(EcoError):
    """An input cannot be read, or not to its end; or a game of it is wrong, with ``strict=True``.

    ``file`` is its name. ``game`` is the number of the game at fault, or of the first that could
    not be read; ``move`` is the move at fault, as in ``"12... Nxe5"``. ``offset`` is the byte up to
    which the input could be read, in the file as it is stored. All but ``file`` are None where
    they mean nothing.
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
    """Moves cannot be read or played. ``move`` is the one at fault, as in ``"2. Ke3"``."""

    def __init__(self, message="", move=None):
        super().__init__(message)
        self.move = move


class CatalogueError(EcoError):
    """Openings cannot be read. ``file``, ``line`` (from 1) and ``move`` say where the first fault
    is, as far as it is in a line or a move; ``faults`` has a text for each bad line.
    """

    def __init__(self, message="", file=None, faults=(), line=None, move=None):
        super().__init__(message)
        self.file, self.faults, self.line, self.move = file, list(faults), line, move


class DatabaseError(EcoError):
    """A position database cannot be read. ``file`` is its name."""

    def __init__(self, message="", file=None):
        super().__init__(message)
        self.file = file


class _NameError(EcoError, ValueError):
    """A name is wrong, or what it stands for. Suggestions that are given are in the message."""

    def __init__(self, message="", name=None, known=(), suggestions=()):
        near = difflib.get_close_matches(name, known, n=3, cutoff=0.6) if name else []
        self.name, self.suggestions = name, list(suggestions) or near
        if near and "did you mean" not in message:
            message = f"{message}; did you mean {' or '.join(near)}?"
        super().__init__(message)


class FieldError(_NameError):
    """A field, column or option has no such name. ``suggestions`` are the nearest ones."""


class SelectionError(_NameError):
    """A condition of a selection is unknown, or no game or opening has its value, and ``suggestions``
    are the nearest ones; or its value cannot be read, and there are none. ``name`` is the condition.
    """
