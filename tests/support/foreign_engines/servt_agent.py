"""An agent for UNSW's nine-board server: it completes lines, and leads to boards where the opponent cannot.

`python servt_agent.py -p PORT MODE`: `good`, or what it does wrong at its second move; `deaf` never connects.
"""

from __future__ import annotations

import re
import socket
import sys
import time

LINES = ((1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7))


class Agent:
    def __init__(self) -> None:
        self.boards: dict[tuple[int, int], int] = {}
        self.board = 0
        self.moves = 0

    def obey(self, line: str) -> int | None:
        """The square to be played, where one is asked for."""
        name, told = re.fullmatch(r"(\w+)(?:\((.*)\))?\.", line).groups()  # type: ignore[union-attr]
        if name in ("second_move", "third_move"):
            board, square, *reply = map(int, told.split(","))
            self.boards, self.board, self.moves = {}, board, 0
            self.mark(square, 1 if reply else 2)
            for one in reply:
                self.mark(one, 2)
        elif name == "next_move":
            self.mark(int(told), 2)
        else:
            return None
        free = [square for square in range(1, 10) if (self.board, square) not in self.boards]
        move = max(free, key=self.worth)
        self.mark(move, 1)
        self.moves += 1
        return move

    def mark(self, square: int, who: int) -> None:
        self.boards[self.board, square] = who
        self.board = square

    def worth(self, square: int) -> int:
        return 2 * self.wins(self.board, square, 1) - any(self.wins(square, other, 2) for other in range(1, 10))

    def taken(self) -> bytes:
        """A square that was taken before its last move, in the same board; nothing where there was none."""
        *before, (last, _) = self.boards
        return next((f"{square}\n".encode() for board, square in before if board == last), b"")

    def wins(self, board: int, square: int, who: int) -> bool:
        if (board, square) in self.boards:
            return False
        return any(
            all(self.boards.get((board, other)) == who for other in line if other != square)
            for line in LINES
            if square in line
        )


def main(port: int, mode: str) -> None:
    if mode == "deaf":
        time.sleep(3600)  # an agent that hangs: it is killed long before
    if mode == "leaves":
        raise RuntimeError("a crash on command")
    agent = Agent()
    with socket.create_connection(("127.0.0.1", port)) as server, server.makefile("rwb", buffering=0) as stream:
        for line in stream:
            square = agent.obey(line.decode().strip())
            if square is not None:
                answer = f"{square}\n".encode()
                if mode == "illegal":
                    answer = agent.taken() or answer
                elif mode != "good" and agent.moves == 2:
                    answer = misbehave(mode)
                stream.write(answer)


def misbehave(mode: str) -> bytes:
    if mode == "crash":
        raise RuntimeError("a crash on command")
    if mode == "hang":
        time.sleep(3600)  # an agent that hangs: it is killed long before
    if mode == "late":
        time.sleep(1.9)  # the agent is late on a real clock: past LATE_MS after its 1000 ms, before HANG_MS
    return {
        "late": b"1\n",
        "form": b"10\n",
        "bytes": b"\xff\n",
        "twice": b"1\n1\n",
        "flood": (b" " * 1023 + b"\n") * 2048,
        "endless-line": b"1" * (10 << 20),
    }[mode]


if __name__ == "__main__":
    main(int(sys.argv[2]), sys.argv[3])
