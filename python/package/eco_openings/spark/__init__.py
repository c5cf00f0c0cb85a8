"""Openings in Spark 4: archives of any size as data frames.

``PgnSource`` reads archives in parts, ``classify_moves`` names a column of movetexts,
``positions`` has a row for each position of each game, ``tag_files`` writes the openings into the
games, and ``index_files`` keeps games in a position database. ``pip install 'eco-openings[spark]'``,
on the workers too.

.. code-block:: python

    from eco_openings.spark import PgnSource

    spark.dataSource.register(PgnSource)
    games = spark.read.format("pgn").option("fields", "result,eco").load("archive/*.pgn.zst")
    games.groupBy("eco").count().show()
"""

from importlib import import_module as _import_module

__all__ = ["POSITION_FIELDS", "PgnSource", "classify_moves", "index_files", "positions", "tag_files"]

_HOMES = {
    "POSITION_FIELDS": "columns",
    "PgnSource": "source",
    "classify_moves": "columns",
    "index_files": "indexing",
    "positions": "columns",
    "tag_files": "tagging",
}


def __getattr__(name):
    # What needs no Spark can be imported without it.
    if name in _HOMES:
        return getattr(_import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
