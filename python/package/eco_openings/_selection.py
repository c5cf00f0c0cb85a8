"""``Selection``: the type of ``select=``."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Literal, TypedDict

_Texts = str | Sequence[str]

# `not` is a keyword, which the body of a class cannot have.
_Not = TypedDict("_Not", {"not": _Texts | Mapping[str, Any]}, total=False)


class Selection(_Not, total=False):
    """Conditions that games have to fulfil, by the names of ``eco help selection``: what ``select=``
    takes. Any of several values will do; a condition that is not there is fulfilled.

    >>> import eco_openings as eco
    >>> strong: eco.Selection = {"player": "Tal, Mihail", "rating": (2500, None)}
    """

    player: _Texts
    against: _Texts
    color: Literal["white", "black"]
    eco: _Texts
    opening: _Texts
    result: _Texts
    since: str | date
    until: str | date
    rating: str | tuple[int | None, int | None] | Sequence[int | None]
    rating_of: Literal["player", "opponent"]
    speed: _Texts
    rated: bool
    event: _Texts
    site: _Texts
    variant: _Texts
    game: str | int | tuple[int, int | None] | Sequence[str | int]
    tag: _Texts | Mapping[str, str | int | None | Sequence[str | int | None]]
    min_plies: int
    position: _Texts
    structure: _Texts
    material: _Texts
    lasting: int
    from_position: bool
