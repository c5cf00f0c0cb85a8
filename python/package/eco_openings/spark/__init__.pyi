from collections.abc import Mapping, Sequence
from typing import Any

from pyspark.sql import Column, DataFrame, Row, SparkSession
from pyspark.sql.datasource import DataSource

POSITION_FIELDS: str

class PgnSource(DataSource): ...

def classify_moves(
    moves: Column | str,
    *,
    fen: Column | str | None = None,
    variant: Column | str | None = None,
    catalogue: str | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> Column: ...
def index_files(
    spark: SparkSession,
    inputs: str | Sequence[str],
    db: str,
    *,
    part_size: int | str = ...,
    folder: str | None = None,
    catalogue: str | None = None,
    storage_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> Row: ...
def positions(
    games: DataFrame,
    depth: int = 50,
    *,
    moves: str = "moves",
    result: str = "result",
    fen: str = "tag:FEN",
    variant: str = "tag:Variant",
    white_elo: str = "white_elo",
    black_elo: str = "black_elo",
    date: str = "date",
    keep: Sequence[str] = (),
) -> DataFrame: ...
def tag_files(
    spark: SparkSession,
    inputs: str | Sequence[str],
    output_folder: str,
    *,
    part_size: int | str = ...,
    catalogue: str | None = None,
    level: int | None = None,
    storage_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> list[Row]: ...
