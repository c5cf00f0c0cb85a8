import duckdb

from . import Catalogue, _Path

TYPE: str

def register(
    con: duckdb.DuckDBPyConnection,
    name: str = "eco_classify",
    *,
    catalogue: Catalogue | _Path | None = None,
) -> None: ...
