"""What the tests share: where games are, and the command line to compare with."""

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FAMOUS = ROOT / "data/games/famous.pgn"
CLUB = ROOT / "data/games/club.pgn"


def shared_games():
    """The public game records beside the repository, if they are there."""
    folder = Path(os.environ.get("ECO_SHARED_GAMES", ROOT.parent / "shared/games"))
    return sorted(path for path in folder.rglob("*") if ".pgn" in path.suffixes)


@pytest.fixture(scope="session")
def eco_program():
    """The command line."""
    built = [ROOT / f"target/{profile}/eco" for profile in ("release", "debug")]
    found = [os.environ.get("ECO_PROGRAM"), *map(str, built), shutil.which("eco")]
    for path in filter(None, found):
        if Path(path).exists():
            return path
    pytest.skip("SKIPPED: there is no program eco to compare with (cargo build; or ECO_PROGRAM)")


@pytest.fixture
def many_games(tmp_path):
    """A file with many games."""
    path = tmp_path / "many.pgn"
    path.write_bytes(FAMOUS.read_bytes() * 400)
    return path
