"""A principal variation search over every kind of board that has one; see `pv_stack` for what they share.

What opens a node, and how late moves are reduced, is chosen by the type of the board when a search is compiled, as in
`boards`; plain Python looks it up at run time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from engine.kernels import pattern_search, qubic_search
from engine.kernels.jit import jit, offer
from engine.kernels.patterns import PatternBoard
from engine.kernels.pv_stack import (
    ALPHA,
    BEST,
    BEST_MOVE,
    BETA,
    COST,
    COUNT,
    FINISHED,
    HALF_WIN,
    INDEX,
    LEAVES,
    LISTED,
    MODE,
    MOVE,
    NARROW,
    NODES,
    OUT_OF_NODES,
    PARTIAL,
    PAUSED,
    PLY,
    PRUNED,
    REDUCED,
    REMAINING,
    WHOLE,
    Stack,
    extend_line,
    order,
    reward,
    store,
)
from engine.kernels.qubic_search import QubicBoard

Board: TypeAlias = PatternBoard | QubicBoard

_MODULES: dict[type, Any] = {PatternBoard: pattern_search, QubicBoard: qubic_search}


def enter(board: Board, stack: Stack, memory: Any, ply: int, options: Any) -> tuple[bool, int]:
    """Open a node below the root: (True, value) when that settles it, (False, _) when its moves are to be tried."""
    found: tuple[bool, int] = _MODULES[type(board)].enter(board, stack, memory, ply, options)
    return found


def foreseen(board: Board, stack: Stack, ply: int, move: int) -> int:
    """The value of a move that loses whatever follows, where that shows before it is made; 0 for any other."""
    found: int = _MODULES[type(board)].foreseen(board, stack, ply, move)
    return found


def reduction(board: Board, stack: Stack, memory: Any, ply: int, move: int, place: int) -> int:
    """How many plies less deep a late move is searched at first."""
    found: int = _MODULES[type(board)].reduction(board, stack, memory, ply, move, place)
    return found


def make(board: Board, stack: Stack, memory: Any, ply: int, move: int) -> None:
    _MODULES[type(board)].make_at(board, stack, memory, ply, move)


def unmake(board: Board, ply: int, move: int) -> None:
    """Take back the move that was made at `ply`."""
    _MODULES[type(board)].unmake_at(board, ply, move)


def _choice(name: str) -> Callable[..., Any]:
    """Chooses an operation for a board whose type the compiler knows."""

    def choose(board: Any, *others: Any) -> Any:
        return getattr(_MODULES[board.instance_class], name).py_func

    return choose


for _operation, _name in (
    (enter, "enter"),
    (foreseen, "foreseen"),
    (reduction, "reduction"),
    (make, "make_at"),
    (unmake, "unmake_at"),
):
    offer(_operation, _choice(_name))


@jit
def run(board: Board, stack: Stack, memory: Any, options: Any, until_nodes: int) -> int:
    """Search on until it is finished, out of nodes, or has made `until_nodes` nodes in all.

    Begin with `begin`, or continue where it paused; nothing else may touch the board and the stack meanwhile.
    """
    counters = stack.counters
    ply = counters[PLY]
    returning = False
    value = 0
    while True:
        if not returning:
            if ply > 0 and stack.frames[ply, INDEX] == -1:
                if counters[NODES] >= options.node_limit or counters[NODES] >= until_nodes:
                    counters[PLY] = ply
                    return OUT_OF_NODES if counters[NODES] >= options.node_limit else PAUSED
                settled, value = enter(board, stack, memory, ply, options)
                if settled:
                    returning = True
                    continue
            place = stack.frames[ply, INDEX]
            if place == stack.frames[ply, COUNT]:
                if ply == 0:
                    counters[PLY] = 0
                    return FINISHED
                value = stack.frames[ply, BEST]
                if stack.frames[ply, PARTIAL] and value < -HALF_WIN:
                    # Untried moves may hold: a loss in every tried one is a bad value, not a proof.
                    value = 1 - HALF_WIN
                    stack.frames[ply, BEST] = value
                store(stack, ply)
                returning = True
                continue
            if counters[NODES] >= options.node_limit:
                counters[PLY] = ply
                return OUT_OF_NODES
            if place == 1 and stack.frames[ply, LISTED]:
                order(stack, ply)
            move = stack.moves[ply, place]
            stack.frames[ply, INDEX], stack.frames[ply, MOVE] = place + 1, move
            counters[NODES] += 1
            alpha = max(stack.frames[ply, ALPHA], stack.frames[ply, BEST])
            value = foreseen(board, stack, ply, move)
            # What is better than alpha also needs its line, and a search that stops stops in the node below.
            if value and value <= alpha and counters[NODES] < min(options.node_limit, until_nodes):
                counters[LEAVES] += 1
                if value > stack.frames[ply, BEST]:
                    stack.frames[ply, BEST], stack.frames[ply, BEST_MOVE] = value, move
                continue
            depth = stack.frames[ply, REMAINING] - stack.frames[ply, COST]
            mode = WHOLE
            low = -stack.frames[ply, BETA]
            if place > 0:
                low = -alpha - 1
                less = reduction(board, stack, memory, ply, move, place)
                mode = REDUCED if less else NARROW
                depth -= less
            stack.frames[ply, MODE] = mode
            make(board, stack, memory, ply, move)
            ply += 1
            stack.frames[ply, ALPHA], stack.frames[ply, BETA] = low, -alpha
            stack.frames[ply, REMAINING] = depth
            stack.frames[ply, INDEX] = -1
            continue
        returning = False
        ply -= 1
        value = -value
        frame = stack.frames[ply]
        move = frame[MOVE]
        alpha = max(frame[ALPHA], frame[BEST])
        if value > alpha and (frame[MODE] == REDUCED or (frame[MODE] == NARROW and value < frame[BETA])):
            # Better than was to be shown: search it again, deeper or with the whole window.
            stack.frames[ply + 1, ALPHA] = -alpha - 1 if frame[MODE] == REDUCED else -frame[BETA]
            stack.frames[ply + 1, BETA] = -alpha
            stack.frames[ply + 1, REMAINING] = frame[REMAINING] - frame[COST]
            stack.frames[ply + 1, INDEX] = -1
            frame[MODE] += 1
            ply += 1
            continue
        unmake(board, ply, move)
        if ply == 0:
            stack.root_values[frame[INDEX] - 1] = value
        if value > frame[BEST]:
            frame[BEST] = value
            frame[BEST_MOVE] = move
            if value > frame[ALPHA]:
                extend_line(stack, ply, move)
                if value >= frame[BETA]:
                    counters[PRUNED] += frame[COUNT] - frame[INDEX]
                    reward(stack, ply, move)
                    store(stack, ply)
                    value = frame[BEST]
                    returning = True
                    continue
