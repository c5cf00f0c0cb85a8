"""The notebook in docs/notebooks runs from its first cell to its last, on games that are made."""

import json
import shutil
import subprocess

import pytest

from conftest import ROOT

NOTEBOOKS = sorted((ROOT / "docs/notebooks").glob("*.ipynb"))

PICTURES = {"image/png", "image/svg+xml"}


def pictures(notebook):
    outputs = [output for cell in notebook["cells"] for output in cell.get("outputs", [])]
    return sum(bool(PICTURES & output.get("data", {}).keys()) for output in outputs)


@pytest.fixture
def season(tmp_path):
    """A folder with the games of a player who does not exist."""
    if not shutil.which("awk"):
        pytest.skip("SKIPPED: the notebooks were not run, since awk is missing, which makes their games")
    lines = sorted(map(str, (ROOT / "data/openings").glob("*.tsv")))
    with open(tmp_path / "season.pgn", "wb") as file:
        subprocess.run(["awk", "-f", ROOT / "data/games/season.awk", *lines], stdout=file, check=True)
    return tmp_path


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, season):
    for module in ["nbclient", "nbformat", "ipykernel", "matplotlib", "polars"]:
        pytest.importorskip(module, reason=f"SKIPPED: the notebooks were not run, since {module} is missing")
    import nbclient
    import nbformat

    notebook = nbformat.read(path, 4)
    folder = {"metadata": {"path": str(season)}}
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources=folder).execute()
    assert pictures(notebook) == 5
    # What readers see is what it makes.
    assert pictures(json.loads(path.read_text())) == 5
