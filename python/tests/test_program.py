"""The program that the wheel brings, under both of its names."""

import os
import signal
import subprocess
import sysconfig
from pathlib import Path

import pytest

SCRIPTS = Path(sysconfig.get_path("scripts"))
GAMES = Path(__file__).resolve().parents[2] / "data/games/famous.pgn"

pytestmark = pytest.mark.skipif(
    not (SCRIPTS / "eco").exists(), reason="SKIPPED: the wheel was built without the program"
)


@pytest.mark.parametrize("name", ["eco", "eco-openings"])
def test_the_program_runs_as_without_python(name):
    program = SCRIPTS / name
    run = subprocess.run([program, "classify", GAMES], capture_output=True, text=True)
    assert run.returncode == 0 and "Owen Defense: Matovinsky Gambit" in run.stdout
    assert subprocess.run([program, "classify", "missing.pgn"], capture_output=True).returncode == 1
    assert subprocess.run([program, "--nothing"], capture_output=True).returncode == 2
    closed = subprocess.run(["sh", "-c", f"'{program}' classify '{GAMES}' | head -n 1; exit"])
    assert closed.returncode == 0


def test_ctrl_c_ends_it_at_once():
    program = SCRIPTS / "eco-openings"
    process = subprocess.Popen([program, "classify", "-"], stdin=subprocess.PIPE)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(1)
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(10) == -signal.SIGINT
