"""The game of a room as its events left it: moves, positions before each, times, offers, result. Pure."""

from __future__ import annotations

from engine.rules.position import Position, Rules, play_all
from server.wire import OfferKind, Result, Side


class Game:
    """The present game of a room, waiting, running or over. The session alone changes it, by committed events."""

    __slots__ = (
        "cells",
        "draws_asked",
        "fault",
        "id",
        "lefts",
        "offers",
        "positions",
        "result",
        "seed",
        "seqs",
        "serial",
        "start",
        "started",
        "taken_back_seq",
        "texts",
        "turn_seq",
        "verdicts",
    )

    def __init__(self, serial: int, start: list[str], rules: Rules) -> None:
        self.serial = serial
        self.id: int | None = None
        self.seed = 0
        self.started = False
        self.result: Result | None = None
        self.fault: str | None = None
        """what a bot did that lost it the game"""
        self.start: tuple[int, ...] = tuple(rules.parse_move(text) for text in start)
        position = play_all(rules.initial, self.start)
        self.positions: list[Position] = [position]
        """positions before each ply, and after the last"""
        self.cells: list[int] = []
        self.texts: list[str] = []
        self.seqs: list[int] = []
        """number of the event of each ply"""
        self.lefts: list[tuple[int, int]] = [(0, 0)]
        """what x and o had left before each ply and after the last, in ms"""
        self.taken_back_seq = 0
        """number of the last takeback"""
        self.turn_seq = 0
        """number of the event that made it the turn of the side to move"""
        self.offers: dict[tuple[Side, OfferKind], None] = {}
        self.draws_asked: set[tuple[Side, int]] = set()
        """sides with the plies at which they offered a draw"""
        self.verdicts: dict[Side, tuple[float | None, bool]] = {}
        """value and whether it is proven, as each bot saw it at its last move"""

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def running(self) -> bool:
        return self.started and self.result is None

    @property
    def to_move(self) -> Side | None:
        """None before the start and when over."""
        return self.positions[-1].to_move if self.started and self.result is None else None

    def side_at(self, ply: int) -> Side:
        return "x" if (len(self.start) + ply) % 2 == 0 else "o"

    def extend(self, cell: int, text: str, seq: int, lefts: tuple[int, int], position: Position | None = None) -> None:
        """Add a legal move, committed as event `seq`, after which x and o have `lefts`.

        `position` is the one that it leads to, if that is known already.
        """
        self.lefts.append(lefts)
        self.positions.append(self.positions[-1].play(cell) if position is None else position)
        self.cells.append(cell)
        self.texts.append(text)
        self.seqs.append(seq)
        self.turn_seq = seq

    def take_back(self, ply: int, seq: int) -> None:
        """Take back the moves from `ply` on, by event `seq`."""
        del self.positions[ply + 1 :], self.lefts[ply + 1 :], self.cells[ply:], self.texts[ply:], self.seqs[ply:]
        self.taken_back_seq = self.turn_seq = seq
        self.offers.clear()
        self.draws_asked = {asked for asked in self.draws_asked if asked[1] <= ply}

    def lapse_offers(self, mover: Side, opponent: Side) -> None:
        """A move withdraws takebacks, and a draw that the mover was offered."""
        self.offers.pop((opponent, "draw"), None)
        self.offers.pop((mover, "takeback"), None)
        self.offers.pop((opponent, "takeback"), None)
