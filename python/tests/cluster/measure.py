"""What a cluster of one and of two workers, each with a core, takes for more and more games.

    ECO_SPARK_PYTHON=... python/tests/cluster/run measure otb.pgn

For a release build of the package. The archive is packed into frames and is there 1, 4 and 16
times. Prints seconds by the clock; for a million games, seconds of executors, which are those by the
clock times the workers; and seconds of the processor, of all processes of the workers.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import eco_openings as eco
from cluster import Cluster
from eco_openings.spark import PgnSource
from pyspark.sql import functions as F

FRAME = 8 << 20
"""As eco tag writes them."""


def pack(pgn, times, path):
    with open(path, "wb") as file:
        text = pgn * times
        for at in range(0, len(text), FRAME):
            with eco.FrameWriter(file, level=3) as writer:
                writer.write(text[at : at + FRAME])


def processor_seconds(roots):
    """The time of the processor of processes and of all below them."""
    parents, seconds = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
            # Of itself, and of children that have ended.
            ticks = sum(map(int, fields[11:15]))
            seconds[int(entry.name)] = ticks / os.sysconf("SC_CLK_TCK")

    def is_below(pid):
        while pid in parents and pid not in roots:
            pid = parents[pid]
        return pid in roots

    return sum(time for pid, time in seconds.items() if is_below(pid))


def count(spark, path):
    reader = spark.read.format("pgn").option("fields", "eco,opening").option("part_size", "4m")
    found = reader.load(str(path)).groupBy("eco").agg(F.count("*").alias("games")).collect()
    return sum(row["games"] for row in found)


def main(pgn):
    pgn = Path(pgn).read_bytes()
    folder = Path(tempfile.mkdtemp(prefix="eco-spark-"))
    archives = {times: folder / f"games-{times}.pgn.zst" for times in [1, 4, 16]}
    for times, path in archives.items():
        pack(pgn, times, path)
    print("workers\tgames\tseconds\texecutor_s_per_million\tprocessor_s_per_million")
    for workers in [1, 2]:
        place = folder / str(workers)
        place.mkdir()
        cluster = Cluster(place)
        try:
            for _ in range(workers):
                cluster.add_worker()
            spark = cluster.session()
            spark.dataSource.register(PgnSource)
            roots = {worker.process.pid for worker in cluster.workers}
            # The first job starts what later ones find running.
            count(spark, archives[1])
            for path in archives.values():
                before = time.monotonic(), processor_seconds(roots)
                games = count(spark, path)
                after = time.monotonic(), processor_seconds(roots)
                wall, processor = (b - a for a, b in zip(before, after))
                million = games / 1e6
                print(
                    f"{workers}\t{games}\t{wall:.1f}\t{wall * workers / million:.1f}"
                    f"\t{processor / million:.1f}",
                    flush=True,
                )
            spark.stop()
        finally:
            cluster.stop()


if __name__ == "__main__":
    main(sys.argv[1])
