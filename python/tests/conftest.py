"""What the tests share: where games are, and the command line to compare with."""

import os
import shutil
import subprocess
import sys
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


FORKED = """
import io, os, signal, sys
import eco_openings as eco
path = sys.argv[1]
{before}
child = os.fork()
if child == 0:
    signal.alarm(30)
    try:
        {work}
        print("done")
    except RuntimeError as error:
        print(error)
    sys.stdout.flush()
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
"""


def forked(path, before, work):
    """What a process says that was forked between two statements; they know a path."""
    code = FORKED.format(before=before, work=work)
    command = [sys.executable, "-c", code, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout
