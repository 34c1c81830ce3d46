"""An engine over JSON lines that does one thing wrong: `python bad_engines.py MODE [PLY]`.

It does so from the given ply on, 2 by default, and plays the first legal move otherwise. Nothing of ours is imported:
it is a program like any other. An hour of sleep stands for an engine that never comes back: no test waits for its end,
since whoever started it has to end it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any


def main(mode: str, ply: int = 2) -> None:
    if mode == "loading":
        print("loads its tables", file=sys.stderr, flush=True)
    if mode in ("deaf", "loading"):  # before it has read anything
        time.sleep(3600)
    for line in sys.stdin:
        told = json.loads(line)
        if mode == "sleepy":  # it will not notice that nobody speaks any more
            answer({"move": told["legal"][0]})
            time.sleep(3600)
        if mode != "good" and len(told["moves"]) >= ply:
            misbehave(mode, told)
        else:
            answer({"move": told["legal"][0], "depth": 3, "nodes": 12, "value": 0.5, "line": told["legal"][:1]})


def answer(said: object) -> None:
    print(json.dumps(said), flush=True)


def runaway() -> int:
    """A process that has left our session, and whose own parent has ended."""
    reads, writes = os.pipe()
    parent = os.fork()
    if parent == 0:
        os.setsid()
        if os.fork() == 0:
            os.write(writes, str(os.getpid()).encode())
            time.sleep(3600)
        os._exit(0)
    os.waitpid(parent, 0)
    return int(os.read(reads, 32))


def misbehave(mode: str, told: dict[str, Any]) -> None:
    if mode == "crash":
        raise RuntimeError("a crash on command")
    if mode == "half":
        print(json.dumps({"move": told["legal"][0]}), end="", flush=True)
    if mode in ("hang", "half"):
        time.sleep(3600)
    if mode == "with-child":
        child = os.fork()
        if child == 0:
            time.sleep(3600)
        answer({"move": told["legal"][0], "nodes": child})
    if mode == "with-runaway":
        answer({"move": told["legal"][0], "nodes": runaway()})
    if mode == "late":
        # Past LATE_MS of a session and before its HANG_MS: late by the clock is what this mode is about.
        time.sleep((told["move_ms"] + 900) / 1000)
        answer({"move": told["legal"][0]})
    if mode == "illegal":
        answer({"move": told["moves"][0]})
    if mode == "twice":
        said = json.dumps({"move": told["legal"][0]})
        print(f"{said}\n{said}", flush=True)
    if mode == "stderr":
        while True:
            sys.stderr.write("x" * 4096)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
