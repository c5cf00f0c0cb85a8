"""The budgets of the package, measured in one run: medians.

    python benches/bench.py GAMES.pgn [ECO]

GAMES is an archive, not compressed, so that no decoder is measured; ECO is the release build of
the command line. The package must be a release build as well. Every measurement asserts its
answer.
"""

import statistics
import subprocess
import sys
import time

import eco_openings as eco

RUNS = 7


def median(work):
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def tsv(program, games, threads):
    command = [program, "classify", games, "--format", "tsv", "--quiet", "-j", str(threads)]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


def archive(games, program):
    import pyarrow as pa

    count = pa.table(eco.classify(games, fields="game")).num_rows
    for threads in [1, 2]:
        # Interleaved, so that a busy moment meets both.
        rates, text = [], []
        for _ in range(RUNS):
            start = time.perf_counter()
            tsv(program, games, threads)
            text.append(time.perf_counter() - start)
            start = time.perf_counter()
            table = pa.table(eco.classify(games, threads=threads))
            rates.append(time.perf_counter() - start)
            assert table.num_rows == count
        text, arrow = statistics.median(text), statistics.median(rates)
        print(
            f"classify, {threads} threads: {count / arrow:,.0f} games/s, {text / arrow:.2f} of the "
            f"command line's tsv to nowhere ({count / text:,.0f} games/s); must be 0.7"
        )


def column(games):
    import pyarrow as pa

    texts = movetexts(games)
    texts = (texts * (1_000_000 // len(texts) + 1))[:1_000_000]
    moves = pa.array(texts)
    plain = moves.take(pa.array(range(0, len(moves), 5003)))
    expected = [eco.Catalogue.builtin().classify_moves(m.as_py()).eco for m in plain]
    named = eco.classify_moves(plain).to_list()
    assert [row["eco"] for row in named] == expected
    took = median(lambda: eco.classify_moves(moves))
    size = sum(map(len, texts)) / len(texts)
    print(
        f"classify_moves: {len(moves) / took:,.0f} movetexts/s of {size:.0f} characters, one core; "
        "must be 500,000"
    )


def movetexts(games):
    """The movetext of every game, without tags."""
    with open(games, encoding="latin-1", newline="") as file:
        parts = file.read().replace("\r", "").split("\n\n")
    return [part for part in parts if part and not part.startswith("[")]


def importing():
    def start(code):
        return median(lambda: subprocess.run([sys.executable, "-c", code], check=True))

    bare, package = start("pass"), start("import eco_openings")
    print(f"import: {1000 * (package - bare):.1f} ms beyond the interpreter's start; must be 30 ms")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    importing()
    column(sys.argv[1])
    archive(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "eco")
