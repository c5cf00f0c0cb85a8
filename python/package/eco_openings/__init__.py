"""Names the opening of every chess game: PGN into Arrow columns, at the speed of the disk.

>>> import eco_openings as eco
>>> eco.Catalogue.builtin().classify_moves("1. e4 c5 2. Nf3 d6").opening
'Sicilian Defense: Modern Variations'

``classify`` reads archives, ``classify_moves`` a column of movetexts, a ``Catalogue`` names
positions and single games. ``eco_openings.polars`` and ``eco_openings.duckdb`` bring the same into
expressions and SQL.
"""

import atexit as _atexit
import sys as _sys

from . import _eco, _frames, errors
from ._eco import (
    Array,
    Batch,
    BatchIterator,
    Catalogue,
    Explored,
    Explorer,
    FrameWriter,
    Indexed,
    Opening,
    Part,
    Reader,
    Table,
    Tagged,
    Verdict,
    check,
    classify_moves,
    index,
    key,
    move,
    parts,
    position_hash,
    positions,
    stats,
    table,
    tag,
)
from .errors import (
    ArgumentError,
    CatalogueError,
    DatabaseError,
    EcoError,
    FenError,
    FieldError,
    MoveError,
    PgnError,
    SelectionError,
)

__all__ = [
    "ArgumentError",
    "Array",
    "Batch",
    "BatchIterator",
    "Catalogue",
    "CatalogueError",
    "DatabaseError",
    "EcoError",
    "Explored",
    "Explorer",
    "FenError",
    "FieldError",
    "FrameWriter",
    "Indexed",
    "MoveError",
    "Opening",
    "Part",
    "PgnError",
    "Reader",
    "Selection",
    "SelectionError",
    "Svg",
    "Table",
    "Tagged",
    "Verdict",
    "check",
    "classify",
    "classify_moves",
    "errors",
    "index",
    "key",
    "move",
    "parts",
    "position_hash",
    "positions",
    "stats",
    "svg",
    "table",
    "tag",
    "write_dataset",
]

_atexit.register(_eco._shut_down)
_frames.equip(Reader, Table, Batch)


def __getattr__(name):
    # Reading the metadata takes longer than importing all the rest.
    if name == "__version__":
        from importlib.metadata import version

        return version("eco-openings")
    if name == "Selection":
        from ._selection import Selection

        return Selection
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def classify(
    games,
    *,
    fields=None,
    select=None,
    collection=None,
    catalogue=None,
    threads=None,
    progress=False,
    errors="raise",
    strict=False,
):
    """Names the opening of every game, and returns a reader of Arrow columns.

    ``games`` is a path or several (files, plain or compressed, folders, and position databases, which
    stand for the games of their collections, or of those that ``collection`` names), bytes, a binary
    file or anything else with ``read``, or an iterator of bytes. A path may begin with ``~``, have
    ``*``, ``?`` and ``[...]``, and be a URL that ``fsspec`` reads, here and wherever else a file is an
    argument. The bytes of an iterator
    are one stream; each element of a list is an input of its own, bytes too. Games are read when rows
    are asked for, in order, on ``threads`` threads (default: all cores), and memory does not grow
    with them.

    ``fields`` are the columns, as a list or separated by commas: those of ``eco classify --fields``,
    ``tag:NAME`` for any tag, ``all``. A column of dates has ``date_from`` and ``date_to`` beside it.

    ``select`` is a dict of conditions (a ``Selection``), by the names of the command line's options: ``player``,
    ``color``, ``against``, ``eco``, ``opening``, ``result``, ``since``, ``until``, ``rating``,
    ``rating_of``, ``speed``, ``rated``, ``event``, ``site``, ``variant``, ``game``,
    ``tag``, ``min_plies``, ``position``, ``structure``, ``material``, ``lasting``,
    ``from_position`` and ``not``, a dict of conditions that leave games out:
    ``{"not": {"event": "Titled Tuesday"}}``. Several values are a list, of which any will do;
    ``rating`` and ``game`` take a pair, ``(2000, None)``; dates may be ``datetime.date``; ``tag`` is
    a dict of names and values, where None is a tag that is missing. A player whom no game has raises
    SelectionError once all are read, with the nearest names; of a Part nobody is expected, since
    another one may have them. Of a word of ``opening`` with a slip, a UserWarning says what it was
    taken for.

    ``catalogue`` is a Catalogue, a file of openings, or a position database, whose masters give
    the names.

    ``progress=True`` reports on standard error; a function is called with the games, the bytes,
    the bytes of all inputs (None if that is not known) and whether that is all.

    An input that cannot be read to its end raises once the games before have been read; with
    ``errors="skip"`` the others are read, and ``Reader.errors`` has the exceptions. A game with an
    illegal move has an ``error`` in its row; with ``strict=True`` it raises as well, or is among
    ``Reader.errors``, and moves are checked where no other name can be reached.

    >>> import eco_openings as eco
    >>> pgn = b'[White "Byrne"]\\n\\n1. c4 c5 *\\n\\n[White "Fischer"]\\n\\n1. e4 c5 *\\n'
    >>> reader = eco.classify(pgn, fields="white,eco,opening")
    >>> reader.read_all().rows()[1]
    {'white': 'Fischer', 'eco': 'B20', 'opening': 'Sicilian Defense'}
    >>> import polars as pl
    >>> pl.DataFrame(reader)["eco"].to_list()
    ['A30', 'B20']
    """
    return _eco.classify(
        games,
        fields=fields,
        select=select,
        collection=collection,
        catalogue=catalogue,
        threads=threads,
        progress=_progress(progress),
        errors=errors,
        strict=strict,
    )


def write_dataset(games, folder, *, partition_by, rows_per_group=None, **options):
    """Writes the rows of games as a dataset: Parquet files in folders that are named after values,
    as Hive lays them out (``year=2019/eco_letter=B/part-....parquet``). Returns the number of rows.

    It is what ``eco classify --partition-by`` does. ``partition_by`` are the fields whose values name
    folders, from the outermost; the files do not have them. Groups of the files have up to
    ``rows_per_group`` rows (65,536 by default), and fewer if more than as many rows would have to be
    held in memory. ``options`` and ``games`` are those of ``classify``; games are paths or ``Part``s,
    after which the files are named: a run replaces what an earlier one wrote of the same games, and
    those of different parts can write at the same time. Files take their places when all are
    complete; after a run that was killed, run it again.

    >>> import eco_openings as eco, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.pgn").write_bytes(b'[Date "2019.05.01"]\\n\\n1. e4 c5 *\\n')
    >>> eco.write_dataset(folder / "a.pgn", folder / "games", partition_by=["year", "eco_letter"])
    1
    >>> [found.relative_to(folder).as_posix() for found in folder.glob("games/*/*")]
    ['games/year=2019/eco_letter=B']
    """
    options["progress"] = _progress(options.get("progress", False))
    reader = _eco.classify(games, partition_by=partition_by, **options)
    return _eco._write_dataset(reader, games, folder, partition_by, rows_per_group)


def _progress(progress):
    """What reports progress; None for nothing."""
    return progress if callable(progress) else _report if progress else None


def _report(games, size, total, is_end):
    share = f" ({100 * size // total} %)" if total else ""
    end = "\n" if is_end else ""
    _sys.stderr.write(f"\r{games:,} games, {size / 1e6:,.1f} MB{share}{end}")
    _sys.stderr.flush()


class Svg(str):
    """The text of an SVG, which a notebook shows as a picture."""

    __slots__ = ()

    def _repr_svg_(self):
        return str(self)


def svg(position, **options):
    """A diagram of a position as SVG; a notebook shows it.

    ``position`` is a FEN, moves, a code or name of an opening, a ``chess.Board`` or a ``chess.pgn.Game``. Keywords are the options of
    ``eco fen show``: ``side`` at the bottom (white, black, mover), ``theme`` (wood, green, blue,
    grey, night), ``mark`` and ``circle`` (lists of squares: ``"e4"``, ``"e4=#cc3333"``, numbers of
    python-chess, or a ``chess.SquareSet``; ``mark`` also has arrows: ``"e2e4"``, ``chess.Move``,
    ``chess.svg.Arrow`` or two numbers of squares), ``show`` (coordinates, mover, check or none; the
    first two by default), ``title`` and ``width``, that of the board in pixels.

    >>> import eco_openings as eco
    >>> picture = eco.svg("startpos", mark=["e2e4"], width=320)
    >>> picture.startswith("<svg ")
    True
    """
    return Svg(_eco.svg(position, **options))
