from typing import Any

import polars as pl

from . import Catalogue, Selection, _Games, _Path, _Texts

DTYPE: pl.Struct

class EcoExpr:
    def __init__(self, expr: pl.Expr) -> None: ...
    def classify(
        self,
        *,
        fen: pl.Expr | str | None = None,
        variant: pl.Expr | str | None = None,
        catalogue: Catalogue | _Path | None = None,
    ) -> pl.Expr: ...

class EcoSeries:
    def __init__(self, series: pl.Series) -> None: ...
    def classify(
        self,
        *,
        fen: pl.Series | None = None,
        variant: pl.Series | None = None,
        catalogue: Catalogue | _Path | None = None,
    ) -> pl.Series: ...

class _Column(pl.Expr):
    @property
    def eco(self) -> EcoExpr: ...

def col(name: str) -> _Column: ...
def scan_pgn(
    games: _Games, *, fields: _Texts = "all", select: Selection | None = None, **options: Any
) -> pl.LazyFrame: ...
