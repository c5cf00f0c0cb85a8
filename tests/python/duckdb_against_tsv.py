#!/usr/bin/env python3
"""Reads what `eco` writes as Parquet and Arrow with DuckDB, Polars and pyarrow, and compares it with tsv.

    tests/python/duckdb_against_tsv.py target/release/eco [games.pgn]...

It makes a virtual environment and installs the three there. DuckDB reads the columns of
`eco classify --fields all` from Parquet, pyarrow from an Arrow stream, and both must have every value that
`--format tsv` has, in its order. It also runs the examples in Python of docs/columns.md, and compares what they
print. Without a network it says SKIPPED and ends with 0.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import venv

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
PACKAGES = ["duckdb>=1", "polars>=1", "pyarrow"]
DEFAULT_GAMES = [REPOSITORY / "data" / "games" / "famous.pgn", REPOSITORY / "data" / "games" / "club.pgn"]
# What tsv has for no value, where that is not nothing.
NO_NUMBER = {"ply", "book_exit"}


def in_environment():
    """Runs this script once more, in an environment that has the packages."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = pathlib.Path(folder, "bin", "python")
        install = [python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", *PACKAGES]
        if subprocess.run(install).returncode != 0:
            print(f"SKIPPED: {', '.join(PACKAGES)} cannot be installed", flush=True)
            return 0
        return subprocess.run([python, __file__, "--installed", *sys.argv[1:]]).returncode


def as_tsv(value, name):
    """A value as tsv has it."""
    if value is None:
        return "0" if name in NO_NUMBER else ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def compare(names, rows, tsv, what):
    """Compares rows with those of tsv, but for the days that stand beside dates."""
    header, *lines = [line.split("\t") for line in tsv.removesuffix("\n").split("\n")]
    kept = [at for at, name in enumerate(names) if not name.endswith(("_from", "_to"))]
    assert [names[at] for at in kept] == header, (what, names, header)
    count = 0
    for number, (row, line) in enumerate(zip(rows, lines, strict=True)):
        for at, text in zip(kept, line, strict=True):
            found = as_tsv(row[at], names[at])
            assert found == text, f"{what}: row {number}, {names[at]}: {found!r} instead of {text!r}"
            count += 1
    print(f"{what}: {len(lines)} rows, {count} values are those of tsv", flush=True)


def compare_formats(eco, games, folder):
    import duckdb
    import pyarrow

    classify = [eco, "classify", *games, "--fields", "all,tag:Annotator,tag:WhiteTitle", "--quiet"]
    tsv = subprocess.run([*classify, "-f", "tsv"], stdout=subprocess.PIPE, check=True).stdout.decode()
    parquet = folder / "games.parquet"
    subprocess.run([*classify, "-o", parquet], check=True)
    found = duckdb.sql(f"SELECT * FROM '{parquet}'")
    compare(found.columns, found.fetchall(), tsv, "DuckDB, parquet")
    with subprocess.Popen([*classify, "-f", "arrow"], stdout=subprocess.PIPE) as run:
        with pyarrow.ipc.open_stream(run.stdout) as reader:
            stream = reader.read_all()
    assert run.returncode == 0
    rows = zip(*(column.to_pylist() for column in stream.columns))
    compare(stream.column_names, rows, tsv, "pyarrow, arrow")
    assert duckdb.sql("SELECT count(*) FROM stream").fetchall() == [(stream.num_rows,)]
    # Pandas and others need dictionaries whose values are unique.
    for batch in stream.to_batches():
        for column in batch.columns:
            if pyarrow.types.is_dictionary(column.type):
                values = column.dictionary.to_pylist()
                assert len(values) == len(set(values)), "a dictionary has a name twice"


def run_recipes(eco, folder):
    """Runs the page's commands, and its examples, each of which prints what the next fence shows."""
    page = (REPOSITORY / "docs" / "columns.md").read_text()
    fences = re.findall(r"^```(\S*)[^\n]*\n(.*?)^```", page, re.M | re.S)
    (folder / "data").symlink_to(REPOSITORY / "data")
    path = f"{pathlib.Path(eco).resolve().parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "POLARS_FMT_MAX_COLS": "20"}
    count = 0
    for (language, text), following in zip(fences, [*fences[1:], ("", "")]):
        if language == "console":
            for command in re.findall(r"^\$ (.*(?:\\\n.*)*)", text, re.M):
                subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdout=subprocess.DEVNULL)
        if language == "python":
            run = subprocess.run([sys.executable, "-c", text], cwd=folder, env=environment, stdout=subprocess.PIPE)
            assert run.returncode == 0, text
            shown = run.stdout.decode().rstrip("\n")
            assert following[0] == "text" and shown == following[1].rstrip("\n"), f"{text}\n{shown}"
            count += 1
    assert count > 0
    print(f"docs/columns.md: {count} examples print what the page shows", flush=True)


def main():
    if "--installed" not in sys.argv:
        return in_environment()
    sys.argv.remove("--installed")
    eco, *games = sys.argv[1:]
    games = [pathlib.Path(name) for name in games] or DEFAULT_GAMES
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        compare_formats(eco, games, folder)
        run_recipes(eco, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
