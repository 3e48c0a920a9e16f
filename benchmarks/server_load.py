"""Searches over HTTP while a book is added, against one idle client of the same server.

    python -m benchmarks.server_load [--seconds 20] [--embedder none]

One client in a closed loop on an idle server is the baseline. Then, while a long book is added as a job: eight clients
in closed loops (throughput), and fifty that each ask every five seconds (open loop: p95 and errors). The clients are
processes of their own, so that their work is not counted as the server's.
"""

import argparse
import http.client
import json
import multiprocessing
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import psutil
from benchmarks.common import record

WORDS = """
    wax honey lantern letter stair storm tower harbour river captain garden window silence winter mirror forest table
    journey brother kitchen station morning evening voice shadow bridge market teacher painter soldier ocean
"""
VOCABULARY = re.findall(r"\w+", WORDS)


def main() -> None:
    """Print and record throughput, percentiles and errors."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--embedder", default="none")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measured(Path(folder), given.seconds, given.embedder)
    record("server_load", figures)


def measured(folder: Path, seconds: float, embedder: str) -> dict[str, Any]:
    """Return the figures of the three runs."""
    books = [book(folder / f"book{n}.txt", n, 2_000) for n in range(12)]
    command = [sys.executable, "-m", "glossator", "--library", str(folder / "library")]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run([*command, "add", *books, "--embedder", embedder], check=True, **quiet)
    server = subprocess.Popen([*command, "serve", "--json", "--embedder", embedder], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        told = json.loads(server.stdout.readline())
        asked(told, 20, 0.0, 3.0)
        alone = asked(told, 1, 0.0, seconds)
        adding = Adding(told, folder)
        closed = asked(told, 8, 0.0, seconds)
        reading = memory(server.pid)
        opened = asked(told, 50, 5.0, seconds)
        added = adding.end()
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(20)
    return {
        "cores": os.cpu_count(),
        "embedder": embedder,
        "seconds": seconds,
        "books_added_meanwhile": added,
        "one_client_idle": told_of(alone, seconds),
        "eight_closed_loop_while_adding": told_of(closed, seconds),
        "fifty_open_loop_while_adding": told_of(opened, seconds),
        "throughput_ratio": round(len(closed["times"]) / max(1, len(alone["times"])), 2),
        "reading_processes_mib": reading,
        "p95_ratio": round(p95(opened["times"]) / p95(alone["times"]), 2),
        "errors": closed["errors"] + opened["errors"],
    }


def memory(server: int) -> list[float]:
    """Return what each process that reads beside the server takes for itself, in MiB, without what they share."""
    beside = [p for p in psutil.Process(server).children() if "glossator.server.reading" in p.cmdline()]
    return [round(p.memory_full_info().uss / (1 << 20), 1) for p in beside]


def book(path: Path, seed: int, paragraphs: int) -> str:
    """Write a book of that many paragraphs of chance words, and return its path."""
    draw = random.Random(seed)
    said = (
        " ".join(draw.choices(VOCABULARY, k=40)).capitalize() + f", number {n} of {seed}." for n in range(paragraphs)
    )
    path.write_text("\n\n".join(said), "utf-8")
    return str(path)


class Adding:
    """Adds one new book after the other until it is told to end."""

    def __init__(self, told: dict[str, Any], folder: Path) -> None:
        self._told, self._folder, self._ended, self._count = told, folder, threading.Event(), 0
        self._thread = threading.Thread(target=self._work)
        self._thread.start()

    def end(self) -> int:
        """Return how many books were added."""
        self._ended.set()
        self._thread.join()
        return self._count

    def _work(self) -> None:
        seed = 1_000
        while not self._ended.is_set():
            seed += 1
            path = book(self._folder / f"new{seed}.txt", seed, 2_000)
            job = call(self._told, "POST", "/api/jobs", {"kind": "add", "paths": [path]})[1]["id"]
            while call(self._told, "GET", f"/api/jobs/{job}")[1]["state"] in ("queued", "running"):
                time.sleep(0.2)
            self._count += 1


def asked(told: dict[str, Any], clients: int, every: float, seconds: float) -> dict[str, Any]:
    """Return times and errors of clients that search in closed loops, or `every` so many seconds."""
    workers = min(clients, 2)
    share = [clients // workers + (n < clients % workers) for n in range(workers)]
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        found = pool.starmap(several, [(told, count, every, seconds, n) for n, count in enumerate(share)])
    return {"times": [t for part in found for t in part["times"]], "errors": sum(part["errors"] for part in found)}


def several(told: dict[str, Any], clients: int, every: float, seconds: float, seed: int) -> dict[str, Any]:
    """Run some of the clients in threads of this process; return their times and errors."""
    times: list[float] = []
    errors: list[int] = []
    ending = time.monotonic() + seconds

    def client(number: int) -> None:
        draw = random.Random(seed * 1_000 + number)
        connection = connected(told)
        due = time.monotonic() + draw.random() * every
        while (now := max(time.monotonic(), due)) < ending:
            time.sleep(max(0.0, now - time.monotonic()))
            begun = due if every else time.monotonic()  # an open loop counts the wait for a slow answer before
            status = searched(connection, told, " ".join(draw.sample(VOCABULARY, 3)))
            if status == 200:
                times.append(time.monotonic() - begun)
            else:
                errors.append(status)
                connection = connected(told)
            due += every
        connection.close()

    threads = [threading.Thread(target=client, args=(n,)) for n in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {"times": times, "errors": len(errors)}


def connected(told: dict[str, Any]) -> http.client.HTTPConnection:
    """Return a connection to the server."""
    return http.client.HTTPConnection("127.0.0.1", int(told["url"].rpartition(":")[2]), timeout=60)


def searched(connection: http.client.HTTPConnection, told: dict[str, Any], query: str) -> int:
    """Return the status of a search; 0 when there was no answer."""
    try:
        headers = {"Authorization": f"Bearer {told['token']}", "Content-Type": "application/json"}
        connection.request("POST", "/api/search", json.dumps({"query": query}), headers)
        response = connection.getresponse()
        response.read()
        return response.status
    except (OSError, http.client.HTTPException):
        return 0


def call(told: dict[str, Any], method: str, path: str, body: Any = None) -> tuple[int, Any]:
    """Return status and JSON of a request."""
    connection = connected(told)
    headers = {"Authorization": f"Bearer {told['token']}", "Content-Type": "application/json"}
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    response = connection.getresponse()
    found = response.status, json.loads(response.read())
    connection.close()
    return found


def told_of(found: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Return searches a second, median and p95 in milliseconds, errors."""
    times = found["times"]
    return {
        "per_second": round(len(times) / seconds, 1),
        "median_ms": round(median(times) * 1_000, 1),
        "p95_ms": round(p95(times) * 1_000, 1),
        "errors": found["errors"],
    }


def p95(times: list[float]) -> float:
    """Return the 95th percentile."""
    return quantiles(times, n=20)[-1]


if __name__ == "__main__":
    main()
