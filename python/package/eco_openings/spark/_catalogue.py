"""The catalogue of a database or of a file of openings, on its way to the workers."""

import hashlib
import os
import tempfile
from typing import NamedTuple, Optional

from .. import Catalogue, archives
from ..errors import EcoError

MOST_SHIPPED = 64 << 20
"""A larger position database, most of which is a collection of games, is not sent to the workers:
they open it by its path."""


class ShippedCatalogue(NamedTuple):
    """What a worker makes a catalogue of."""

    path: str
    content: Optional[bytes]


_opened = {}


def ship(path, storage_options=None):
    """Reads a file of openings, or a position database, on the driver. None stays None, for the
    built-in catalogue.

    Raises OSError if it cannot be read, CatalogueError if it is neither, and DatabaseError if it is
    another database.
    """
    if path is None:
        return None
    with archives.open_file(path, "rb", storage_options) as file:
        content = file.read(MOST_SHIPPED + 1)
    if len(content) > MOST_SHIPPED:
        return ShippedCatalogue(os.path.abspath(path), None)
    shipped = ShippedCatalogue(path, content)
    unpack(shipped)
    return shipped


def unpack(shipped):
    """The catalogue, opened once in each process."""
    if shipped is None:
        return None
    if shipped.content is None:
        return _read(shipped.path)
    digest = hashlib.sha256(shipped.content).digest()
    if digest not in _opened:
        _opened[digest] = _open(shipped)
    return _opened[digest]


def _open(shipped):
    try:
        with tempfile.TemporaryDirectory(prefix="eco-") as folder:
            path = os.path.join(folder, os.path.basename(shipped.path) or "catalogue.db")
            with open(path, "wb") as file:
                file.write(shipped.content)
            return _open_as(path, shipped.path)
    except OSError as error:
        error.add_note(f"the catalogue of {shipped.path} could not be unpacked on a worker")
        raise


def _open_as(path, name):
    """Opens a copy. What is wrong with it is said of the file that it is a copy of."""
    try:
        return _read(path)
    except EcoError as error:
        text = str(error).replace(path, name)
        # An error that is made anew has no context that names the copy.
        raise type(error)(text) from None


def _read(path):
    """What ``catalogue=`` reads: the masters of a position database, or a file of openings."""
    with open(path, "rb") as file:
        is_database = file.read(16) == b"SQLite format 3\0"
    return Catalogue.open(path) if is_database else Catalogue.read(path)
