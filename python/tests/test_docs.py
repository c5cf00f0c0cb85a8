"""The examples of docstrings and of README.md, and what the package says of itself."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import eco_openings as eco
from conftest import ROOT

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
README = Path(__file__).resolve().parents[1] / "README.md"


def documented():
    """Everything public, by name."""
    for name in eco.__all__:
        item = getattr(eco, name)
        yield name, item
        if isinstance(item, type):
            for part in vars(item):
                if not part.startswith("_"):
                    yield f"{name}.{part}", getattr(item, part)


def run(text, name):
    test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    output = []
    runner.run(test, out=output.append)
    assert runner.failures == 0, "".join(output)
    return len(test.examples)


def test_the_examples_of_docstrings_run():
    pytest.importorskip("polars")
    examples = sum(run(item.__doc__ or "", name) for name, item in documented())
    assert examples > 20
    assert run(eco.__doc__, "eco_openings")


@pytest.mark.parametrize("module", ["polars", "duckdb"])
def test_the_examples_of_helpers_run(module, monkeypatch):
    monkeypatch.chdir(ROOT)
    pytest.importorskip(module)
    pytest.importorskip("pyarrow")
    helper = __import__(f"eco_openings.{module}", fromlist=["*"])
    assert run(helper.__doc__, module)


def test_everything_public_is_documented_and_typed():
    stubs = (Path(eco.__file__).parent / "__init__.pyi").read_text()
    for name, item in documented():
        assert item.__doc__, name
        assert re.search(rf"\b{name.rpartition('.')[2]}\b", stubs), f"{name} has no type"
    assert (Path(eco.__file__).parent / "py.typed").exists()


def test_the_recipes_of_the_readme_run(monkeypatch):
    for module in ["polars", "duckdb", "pyarrow"]:
        pytest.importorskip(module)
    monkeypatch.chdir(ROOT)
    recipes = re.findall(r"```pycon\n(.*?)```", README.read_text(), re.S)
    assert len(recipes) >= 5
    assert run("\n".join(recipes), "README.md") > 10


def milliseconds(code):
    """The time of the processor for a statement in a new interpreter, the best of some."""
    timed = f"import time; t = time.process_time(); {code}; print(time.process_time() - t)"
    runs = [subprocess.check_output([sys.executable, "-c", timed], text=True) for _ in range(9)]
    return min(float(run) for run in runs) * 1000


def test_importing_is_quick_and_builds_no_catalogue():
    assert milliseconds("import eco_openings") < 30
    heavy = ["polars", "duckdb", "pyarrow", "chess", "pandas", "importlib.metadata"]
    modules = f"import eco_openings, sys; print([m for m in {heavy} if m in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", modules], text=True) == "[]\n"


def test_the_version_is_that_of_the_package():
    from importlib.metadata import PackageNotFoundError, version

    try:
        assert eco.__version__ == version("eco-openings")
    except PackageNotFoundError:
        pytest.skip("SKIPPED: the package is not installed")
