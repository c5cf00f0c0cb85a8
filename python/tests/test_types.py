"""Type checkers understand the examples: those of README.md and of the notebooks."""

import doctest
import importlib.util
import json
import re
import subprocess
import sys

import pytest

from conftest import ROOT
from test_notebooks import NOTEBOOKS

CHECKERS = {
    "mypy": ["--strict"],
    "pyright": ["--pythonpath", sys.executable],
}


def examples():
    """The code of each document."""
    blocks = re.findall(r"```pycon\n(.*?)```", (ROOT / "python/README.md").read_text(), re.S)
    parsed = [example for block in blocks for example in doctest.DocTestParser().get_examples(block)]
    yield "readme", "".join(example.source for example in parsed)
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text())["cells"]
        yield path.stem, "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


WRONG = """
import eco_openings as eco
eco.classify("games.pgn", select={"plaer": "Tal"})
"""


@pytest.mark.parametrize("checker", CHECKERS)
def test_type_checkers_understand_the_examples(checker, tmp_path):
    needed = [checker, "polars", "pandas", "duckdb", "pyarrow", "matplotlib"]
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(f"SKIPPED: {checker} was not run, since {', '.join(missing)} cannot be had")
    command = [sys.executable, "-m", checker, *CHECKERS[checker]]
    for name, code in examples():
        (tmp_path / f"{name}.py").write_text(code)
    names = [f"{name}.py" for name, _ in examples()]
    done = subprocess.run([*command, *names], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (tmp_path / "wrong.py").write_text(WRONG)
    done = subprocess.run([*command, "wrong.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1 and "wrong.py:3:" in done.stdout, done.stdout + done.stderr
