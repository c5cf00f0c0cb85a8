from typing import Any

import duckdb
import pyarrow.dataset

from . import Catalogue, Selection, _Games, _Path, _Texts

TYPE: str

def register(
    con: duckdb.DuckDBPyConnection,
    name: str = "eco_classify",
    *,
    catalogue: Catalogue | _Path | None = None,
) -> None: ...
def read_pgn(
    games: _Games, *, fields: _Texts = "all", select: Selection | None = None, **options: Any
) -> pyarrow.dataset.Dataset: ...
def sql(
    query: str, con: duckdb.DuckDBPyConnection | None = None, **options: Any
) -> duckdb.DuckDBPyRelation: ...
