"""Counting move sequences: the check that rules and kernels make the same moves."""

from __future__ import annotations

from collections.abc import Iterator

from engine.rules.position import Position, Rules


def perft(rules: Rules, depth: int) -> Iterator[int]:
    """The number of move sequences from the first position, of length 1, 2, ... `depth`.

    A finished game is not extended. The last ply is counted, not made, so each count costs about as much time as
    the one before it has sequences.
    """
    count = 1
    for length in range(1, depth + 1):
        count = count and _sequences(rules.initial, length)  # once no game goes on, none has a longer sequence
        yield count


def _sequences(position: Position, length: int) -> int:
    moves = position.legal_moves()
    if length == 1:
        return len(moves)
    return sum(_sequences(position.play(move), length - 1) for move in moves)
