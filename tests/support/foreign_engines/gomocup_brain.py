"""A brain over the Gomocup protocol, on square boards: it plays where most stones lie on lines still to be made.

`python gomocup_brain.py MODE`: `good`, or what it does wrong at its first move: `taken`, `off`, `words` or `error`.
"""

from __future__ import annotations

import sys

LINES = ((1, 0), (0, 1), (1, 1), (1, -1))


def main(mode: str) -> None:
    size, board = 0, dict[tuple[int, int], int]()
    lines = (line.strip() for line in sys.stdin)
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "START":
            size, board = int(rest), {}
            answer("OK" if size <= 20 else "ERROR board too large")
            continue
        if word == "RESTART":
            board = {}
            answer("OK")
            continue
        if word == "TURN":
            board[place(rest)] = 2
        elif word == "BOARD":
            for stone in iter(lambda: next(lines), "DONE"):
                x, y, whose = map(int, stone.split(","))
                board[x, y] = whose
        elif word != "BEGIN":
            continue
        answer(f"MESSAGE {len(board)} stones")
        misbehave(mode, board)
        x, y = max(((x, y) for x in range(size) for y in range(size)), key=lambda cell: worth(board, size, cell))
        board[x, y] = 1
        answer(f"{x},{y}")


def misbehave(mode: str, board: dict[tuple[int, int], int]) -> None:
    if mode == "taken":
        x, y = next(iter(board))
        answer(f"{x},{y}")
    if mode == "off":
        answer("99,0")
    if mode == "words":
        answer("7 7")
    if mode == "error":
        answer("ERROR I give up")


def worth(board: dict[tuple[int, int], int], size: int, cell: tuple[int, int]) -> float:
    if cell in board:
        return -1.0
    total = 0.0
    for dx, dy in LINES:
        for shift in range(5):
            line = [(cell[0] + (step - shift) * dx, cell[1] + (step - shift) * dy) for step in range(5)]
            if all(0 <= x < size and 0 <= y < size for x, y in line):
                marks = [board[point] for point in line if point in board]
                if len(set(marks)) <= 1:
                    total += 10 ** len(marks) * (1.5 if marks[:1] == [1] else 1.0)
    return total


def place(text: str) -> tuple[int, int]:
    x, y = map(int, text.split(","))
    return x, y


def answer(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
