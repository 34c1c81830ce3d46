"""A bot over CodinGame's protocol, for nine boards and for one: it completes lines, or keeps the opponent from it.

`python codingame_bot.py MODE [TURN]`: `good`, or what it does wrong at its given turn, the second by default.
"""

from __future__ import annotations

import os
import sys
import time

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
Board = list[int]


def main(mode: str, wrong_turn: int = 2) -> None:
    boards: dict[tuple[int, int], Board] = {}
    turn, nested = 0, False
    while line := sys.stdin.readline():
        turn += 1
        row, column = place_of(line)
        valid = [place_of(sys.stdin.readline()) for _ in range(int(sys.stdin.readline()))]
        if row >= 0:
            mark(boards, row, column, 2)
        if mode != "good" and turn == wrong_turn:
            misbehave(mode, row, column)
            continue
        nested = nested or max(map(max, valid)) > 2
        row, column = max(valid, key=lambda place: worth(boards, place, nested))
        mark(boards, row, column, 1)
        say(f"{row} {column}")


def place_of(line: str) -> tuple[int, int]:
    row, column = map(int, line.split())
    return row, column


def mark(boards: dict[tuple[int, int], Board], row: int, column: int, who: int) -> None:
    boards.setdefault((row // 3, column // 3), [0] * 9)[row % 3 * 3 + column % 3] = who


def worth(boards: dict[tuple[int, int], Board], place: tuple[int, int], nested: bool) -> float:
    row, column = place
    board = boards.get((row // 3, column // 3), [0] * 9)
    square = row % 3 * 3 + column % 3
    lines = [[board[other] for other in line if other != square] for line in LINES if square in line]
    given = boards.get((square // 3, square % 3), [0] * 9) if nested else [0] * 9
    gift = sum(sorted(given[other] for other in line) == [0, 2, 2] for line in LINES)
    return 100 * lines.count([1, 1]) + 10 * lines.count([2, 2]) - 50 * gift + (square == 4) + 0.1 * lines.count([0, 1])


def misbehave(mode: str, row: int, column: int) -> None:
    if mode == "crash":
        raise RuntimeError("a crash on command")
    if mode == "hang":
        time.sleep(3600)  # an agent that hangs: it is killed long before
    if mode == "late":
        time.sleep(1.9)  # the agent is late on a real clock: past LATE_MS after its 1000 ms, before HANG_MS
        say("0 0")
    if mode == "illegal":
        say(f"{row} {column}")
    if mode == "off":
        say("9 9")
    if mode == "form":
        say("b2")
    if mode == "bytes":
        os.write(1, b"\xff\xfe 1\n")
    if mode == "twice":
        say("0 0\n0 0")
    if mode == "flood":
        while True:
            say(" " * 1000)
    if mode == "endless-line":
        os.write(1, b"1" * (10 << 20))


def say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
