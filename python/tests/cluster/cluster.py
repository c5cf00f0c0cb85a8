"""A standalone cluster of Spark on this machine, and a store that speaks S3."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pyspark

HOST = "127.0.0.1"
HOME = Path(pyspark.__file__).parent


def free_port():
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        return listener.getsockname()[1]


class Process:
    """A program that runs until it is stopped, with its output in a file."""

    def __init__(self, command, log, **environment):
        self.log = log
        with open(log, "wb") as output:
            self.process = subprocess.Popen(
                command,
                stdout=output,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                env=os.environ | environment,
            )

    def wait_for(self, text, seconds=120):
        end = time.monotonic() + seconds
        while text not in self.log.read_text(errors="replace"):
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"no {text!r} in {self.log}:\n{self.log.read_text()}")
            time.sleep(0.1)

    def kill(self):
        """Ends the process at once, by its id."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.kill()


class Cluster:
    """A master and its workers, each with a core."""

    def __init__(self, folder):
        self.folder = folder
        self.workers = []
        port = free_port()
        self.url = f"spark://{HOST}:{port}"
        name = "org.apache.spark.deploy.master.Master"
        place = ["--host", HOST, "--port", str(port), "--webui-port", "0"]
        self.master = self.start("master", name, *place)
        self.master.wait_for("I have been elected leader")

    def start(self, name, *command):
        command = [str(HOME / "bin/spark-class"), *command]
        python = os.environ.get("PYSPARK_PYTHON", sys.executable)
        environment = {"SPARK_HOME": str(HOME), "PYSPARK_PYTHON": python, "SPARK_LOCAL_IP": HOST}
        return Process(command, self.folder / f"{name}.log", **environment)

    def add_worker(self):
        number = len(self.workers) + 1
        name = "org.apache.spark.deploy.worker.Worker"
        size = ["--cores", "1", "--memory", "1500m", "--webui-port", "0"]
        place = ["--host", HOST, "--work-dir", str(self.folder / f"work-{number}")]
        worker = self.start(f"worker-{number}", name, *size, *place, self.url)
        worker.wait_for("Successfully registered with master")
        self.workers.append(worker)
        return worker

    def session(self, **settings):
        """A session whose executors are the workers."""
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master(self.url).appName("eco")
        settings = {
            "spark.driver.host": HOST,
            "spark.driver.bindAddress": HOST,
            "spark.executor.memory": "1g",
            "spark.executor.cores": "1",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.shuffle.partitions": "4",
            "spark.python.worker.faulthandler.enabled": "true",
        } | settings
        for name, value in settings.items():
            builder = builder.config(name, value)
        spark = builder.getOrCreate()
        spark.sparkContext.setLogLevel("ERROR")
        return spark

    def executor_logs(self):
        """What the workers' Python has written."""
        return "".join(
            log.read_text(errors="replace") for log in sorted(self.folder.glob("work-*/**/stderr"))
        )

    def stop(self):
        for process in [*self.workers, self.master]:
            process.stop()


class Store:
    """A server that speaks S3."""

    def __init__(self, folder):
        port = free_port()
        self.endpoint = f"http://{HOST}:{port}"
        command = [sys.executable, "-m", "moto.server", "-H", HOST, "-p", str(port)]
        self.server = Process(command, folder / "store.log")
        self.server.wait_for("Running on")

    @property
    def options(self):
        """The storage options of fsspec."""
        return {
            "key": "eco",
            "secret": "eco",
            "client_kwargs": {"endpoint_url": self.endpoint},
        }

    def stop(self):
        self.server.stop()
