"""Judging Qubic by threats of either side and by the book of X's win, and else by the search.

A side that wins by threats has won; one whose every reply lets the other side win by threats, or lets X go on by the
book, has lost; X has won where a short search like that of the solver finds a strategy. None of these finds the
shortest win.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from engine.kernels import qubic_proof, qubic_threats
from engine.kernels.qubic_proof import NO_BOUND
from engine.kernels.qubic_threats import WON
from engine.rules.flat import FlatPosition
from engine.rules.position import Move, Position, X, marks_of
from engine.search import threat_wins
from engine.search.assess import searched
from engine.search.finding import Finding, raise_if_stopped
from engine.search.perfect import qubic_memory
from engine.search.perfect.qubic_book import Entry, shipped
from engine.search.watch import Watch

_CAPS: Final = (1_000, 30_000, 200_000)
"""Nodes of a search for a win by threats, tried in turn; the stop flag is read in between."""
_ANSWER_CAP: Final = 20_000
"""Nodes of the search after each reply: ten times what any of the book takes."""
LEAVES: Final = 1_000
"""Leaves of the search for X's strategy: 0.1 s."""
_SLICE: Final = 20
"""Leaves between two readings of the stop flag."""
_LEAST_PLIES: Final = 3
"""Shorter wins by threats than this are always found first."""


def assess(position: Position, watch: Watch) -> Finding:
    assert isinstance(position, FlatPosition)
    return _Case(position, watch).finding()


class _Win(NamedTuple):
    plies: int
    """An upper bound."""
    line: tuple[Move, ...]


class _Case:
    """One position. The memory of threat searches is cleared first, so that it is always judged alike."""

    def __init__(self, position: FlatPosition, watch: Watch) -> None:
        self._position = position
        self._watch = watch
        self._memory = qubic_memory.memory()
        self._memory.threats.failed[:] = 0
        self._nodes = 0

    def finding(self) -> Finding:
        position = self._position
        own, others = marks_of(position, position.to_move)
        wins = (self._by_threats(own, others), self._by_book(own, others) if position.to_move == X else None)
        known = [win for win in wins if win is not None]
        if known:
            return self._shorter(1.0, min(known, key=lambda win: win.plies))
        loss = self._loss(own, others)
        if loss is not None:
            return self._shorter(-1.0, loss)
        found = self._searched()
        return found if found.exact else self._by_strategy(found) or found

    def _searched(self) -> Finding:
        found = searched.assess(self._position, self._watch)
        return replace(found, nodes=found.nodes + self._nodes)

    def _shorter(self, value: float, way: _Win) -> Finding:
        """What the proof says, or the search if that finds a shorter way."""
        if way.plies > _LEAST_PLIES:
            found = self._searched()
            if found.win_in is not None and abs(found.win_in) <= way.plies:
                return found
        win_in = way.plies if value > 0 else -way.plies
        return Finding(True, value, win_in, way.plies > _LEAST_PLIES, way.line[:1], way.line, nodes=self._nodes)

    def _by_strategy(self, guess: Finding) -> Finding | None:
        """X's win by a strategy that a search like the solver's finds, in an unknown number of plies."""
        proof, threats = qubic_memory.begun(self._position.x, self._position.o), self._memory.threats
        status, grown = qubic_proof.GROWING, 0
        while status == qubic_proof.GROWING and grown < LEAVES:
            raise_if_stopped(self._watch)
            status = qubic_proof.grow(proof, threats, qubic_proof.Plan(), _SLICE)
            grown += _SLICE
        nodes = guess.nodes + int(proof.counters[qubic_proof.THREAT_NODES])
        if status != qubic_proof.PROVEN:
            return replace(guess, nodes=nodes)
        if self._position.to_move != X:
            return replace(guess, exact=True, value=-1.0, nodes=nodes)
        first = int(proof.first[0])
        places = range(first, first + int(proof.count[0]))
        move = next(int(proof.moves[place]) for place in places if not proof.proof[int(proof.links[place])])
        return Finding(True, 1.0, best=(move,), line=(move,), nodes=nodes)

    def _by_threats(self, attacker: int, defender: int) -> _Win | None:
        threats = self._memory.threats
        for cap in _CAPS:
            raise_if_stopped(self._watch)
            found = threat_wins.search(threats, attacker, defender, cap)
            self._nodes += int(threats.counters[0])
            if found == WON:
                line, nodes = threat_wins.shortest(
                    threats, attacker, defender, _CAPS[-1], between=lambda: raise_if_stopped(self._watch)
                )
                self._nodes += nodes
                return _Win(len(line), line)
            if found == qubic_threats.FAILED:
                return None
        return None

    def _by_book(self, x: int, o: int) -> _Win | None:
        """X's win by the book, X to move, along the line in which O resists longest."""
        entry = qubic_memory.entry(x, o)
        if entry is None:
            return None
        line: list[Move] = []
        found: Entry | None = entry
        while found:
            raise_if_stopped(self._watch)
            line.append(found.move)
            marks = x.bit_count() + found.moves
            x |= 1 << found.move
            replies = self._replies(x, o, True, marks)
            reply = replies.longest
            line.append(reply)
            o |= 1 << reply
            found = replies.entries.get(reply)
        return _with_rest(entry.plies, line, self._by_threats(x, o))

    def _loss(self, own: int, others: int) -> _Win | None:
        """The longest resistance of the side to move, if all its moves lose by threats or by the book."""
        by_book = self._position.to_move != X
        after = [own | 1 << move for move in self._position.legal_moves()]
        # A further mark does not help the other side: without a win by threats now, all replies must be in the book.
        if self._by_threats(others, own) is None and not (
            by_book and all(qubic_memory.entry(others, marks) for marks in after)
        ):
            return None
        # Where the book goes on, threats alone may need longer than it says.
        replies = self._replies(others, own, by_book, shipped()[0, 0].moves)
        if replies.are_open:
            replies = self._replies(others, own, by_book)
        if replies.are_open:
            return None
        reply = replies.longest
        then = self._by_book if reply in replies.entries else self._by_threats
        return _with_rest(replies.plies[reply] + 1, [reply], then(others, own | 1 << reply))

    def _replies(self, attacker: int, defender: int, by_book: bool, marks: int = NO_BOUND) -> _Replies:
        """The attacker's result against each reply, with at most `marks` marks at the end; the defender is to move."""
        raise_if_stopped(self._watch)
        answers = qubic_memory.answers(attacker, defender, _ANSWER_CAP, marks)
        self._nodes += answers.nodes
        plies = {reply: 2 * moves - 1 for reply, moves in answers.moves.items()}
        left = answers.left
        found = {reply: qubic_memory.entry(attacker, defender | 1 << reply) for reply in left} if by_book else {}
        entries = {reply: entry for reply, entry in found.items() if entry}
        plies |= {reply: entry.plies for reply, entry in entries.items()}
        return _Replies(plies, entries, len(entries) < len(left))


def _with_rest(plies: int, line: Sequence[Move], rest: _Win | None) -> _Win:
    """A line to the end, unless the search went a longer way there than is known to be needed."""
    whole = (*line, *rest.line) if rest else ()
    return _Win(plies, whole if 0 < len(whole) <= plies else tuple(line))


class _Replies(NamedTuple):
    plies: dict[Move, int]
    """Most plies that the attacker needs, for each reply that loses."""
    entries: dict[Move, Entry]
    """Book entries of the replies that the book beats."""
    are_open: bool
    """Whether some are not beaten."""

    @property
    def longest(self) -> Move:
        return max(self.plies, key=lambda reply: self.plies[reply])
