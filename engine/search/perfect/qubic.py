"""Qubic, played by the proof: X wins from the empty board by the book and by threats; O waits for X to err.

A position that has no entry in the book, and that X does not win by threats, lies beside the proof: there both sides
search as `strongest` does, after looking for wins by threats of their own and of the other side. O also looks
for X's strategy there, as the solver does, and leaves out the replies that lose to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from engine.kernels import qubic_proof
from engine.kernels.qubic_proof import NO_BOUND, Plan
from engine.kernels.qubic_threats import WON
from engine.rules.flat import FlatPosition
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.position import Move, Position
from engine.search import negamax, skill, strongest, threat_wins
from engine.search import qubic as search
from engine.search.decision import Decision
from engine.search.perfect import qubic_memory
from engine.search.perfect.qubic_book import Entry
from engine.search.perfect.qubic_memory import Answers
from engine.search.watch import NO_WATCH, Watch

_CAP: Final = 10_000
"""Nodes of a search for a win by threats, whatever the limit, or the book's promises would not be kept: a millisecond.
The proof from the empty board takes less than 2,000 for each."""
_LEAVES: Final = 2_000
"""Leaves of the search for X's strategy, unless a limit says less: 0.2 s and up to 30,000 positions."""
_SLICE: Final = 20
"""Leaves between two readings of the stop flag, if no time is given."""
_HELD_NODES: Final = 1_000_000
"""Nodes of threats for X's strategy, where no limit is given."""
_PARTS: Final = 4
"""One part in this many of the time goes to threats and X's strategy; the rest belongs to the search."""
_NODE_PARTS: Final = 16
"""The same for a limit of nodes: X's strategy visits more of them in the same time."""


def decide(values: tuple[int | str, ...], position: Position, limit: Limit, random: Random, watch: Watch) -> Decision:
    """`perfect`, on Qubic."""
    assert isinstance(position, FlatPosition)
    return _Decider(position, limit, random, watch).decide()


@dataclass(frozen=True, slots=True)
class Standing:
    """Who wins a position with O to move, as far as threats and the book show."""

    o_wins: bool
    x_wins: bool


def standing(position: FlatPosition) -> Standing:
    """Standing of a position with O to move that is not over."""
    decider = _Decider(position, NO_LIMIT, Random(0), NO_WATCH)
    if decider._attack(position.o, position.x):
        return Standing(True, False)
    left = decider._answers(position.x, position.o).left
    return Standing(False, all(qubic_memory.entry(position.x, position.o | 1 << reply) for reply in left))


class _Decider:
    """One decision. The memory of threat searches is cleared before it, so that it can be repeated."""

    def __init__(self, position: FlatPosition, limit: Limit, random: Random, watch: Watch) -> None:
        self._position = position
        self._limit = limit
        self._random = random
        self._watch = watch
        self._memory = qubic_memory.memory()
        self._memory.threats.failed[:] = 0
        self._nodes = 0

    def decide(self) -> Decision:
        return self._as_o() if self._position.ply & 1 else self._as_x()

    def _as_x(self) -> Decision:
        x, o = self._position.x, self._position.o
        attack = self._attack(x, o)
        entry = qubic_memory.entry(x, o)
        if attack and (entry is None or len(attack) <= entry.plies):
            return self._won(len(attack), attack)
        if entry:
            return self._won(entry.plies, self._longest(x, o, entry))
        return self._beside(self._kept_from_losing(o, x))

    def _as_o(self) -> Decision:
        x, o = self._position.x, self._position.o
        attack = self._attack(o, x)
        if attack:
            return self._won(len(attack), attack)
        answers = self._answers(x, o)
        # Of some replies that X beats by threats, too: where quiet moves win sooner than those.
        entries = {reply: qubic_memory.entry(x, o | 1 << reply) for reply in self._position.legal_moves()}
        open_replies = [reply for reply in answers.left if entries[reply] is None]
        if open_replies:
            return self._beside(self._held(open_replies))
        plies = {reply: entry.plies for reply, entry in entries.items() if entry}
        plies = plies or {reply: 2 * moves - 1 for reply, moves in answers.moves.items()}
        longest = max(plies.values())
        move = self._random.choice([reply for reply, count in plies.items() if count == longest])
        value = float(longest + 1 - negamax.WIN)
        return Decision(
            move, nodes=self._nodes, depth=longest + 1, value=value, win_in=-longest - 1, proven=True, pv=(move,)
        )

    def _won(self, plies: int, line: tuple[Move, ...]) -> Decision:
        value = float(negamax.WIN - plies)
        return Decision(line[0], nodes=self._nodes, depth=plies, value=value, win_in=plies, proven=True, pv=line)

    def _beside(self, moves: Sequence[Move]) -> Decision:
        """What `strongest` decides among these moves with the nodes that are left."""
        legal, limit = self._position.legal_moves(), self._limit
        if limit.nodes:
            limit = replace(limit, nodes=max(1, limit.nodes - self._nodes))
        if len(moves) == len(legal):
            decision = strongest.decide((), self._position, limit, self._random, self._watch)
        elif len(moves) == 1:
            decision = Decision(moves[0], pv=(moves[0],))
        else:
            nodes = None if limit.move_ms else skill.strongest(self._position.rules).nodes
            decision = search.choose(self._position, limit, self._watch, nodes, moves)
            if (decision.win_in or 0) <= 0:
                decision = replace(decision, win_in=None, proven=False)
        return replace(decision, nodes=decision.nodes + self._nodes)

    def _kept_from_losing(self, attacker: int, defender: int) -> Sequence[Move]:
        """The moves after which the other side does not win by threats; all moves if there is none."""
        answers = self._answers(attacker, defender)
        return answers.left or self._position.legal_moves()

    def _held(self, replies: Sequence[Move]) -> Sequence[Move]:
        """O's replies that a search for X's strategy leaves: those that refute all that X can try, if there are any.

        It leaves one of each set of symmetric replies. If it refutes all of them, all are left.
        """
        proof, limit = qubic_memory.begun(self._position.x, self._position.o), self._limit
        most_nodes = limit.nodes // _NODE_PARTS if limit.nodes else _HELD_NODES
        plan, slice_leaves = Plan(), _SLICE
        if limit.move_ms or limit.nodes:
            # A leaf takes up to a thousand searches for threats. With as many nodes for each as there are milliseconds,
            # or a thousandth of all nodes, it takes a small part of them.
            cap = limit.move_ms or max(1, most_nodes // 1000)
            plan, slice_leaves = Plan(cap=min(plan.cap, cap)), 1
        grown, status = 0, qubic_proof.GROWING
        while status == qubic_proof.GROWING and grown < _LEAVES and not self._is_late():
            if limit.nodes and proof.counters[qubic_proof.THREAT_NODES] >= most_nodes:
                break
            status = qubic_proof.grow(proof, self._memory.threats, plan, slice_leaves)
            grown += slice_leaves
        self._nodes += int(proof.counters[qubic_proof.THREAT_NODES])
        first = int(proof.first[0])
        places = range(first, first + int(proof.count[0])) if first >= 0 else range(0)
        nodes = {int(proof.moves[place]): int(proof.links[place]) for place in places}
        open_replies = [reply for reply in replies if reply in nodes and proof.proof[nodes[reply]] > 0]
        refuting = [reply for reply in open_replies if proof.disproof[nodes[reply]] == 0]
        return refuting or open_replies or replies

    def _attack(self, attacker: int, defender: int) -> tuple[Move, ...] | None:
        """The shortest win by threats of the side to move, to the end.

        The announced plies never grow during a game: what is left of an attack is found again, and no longer.
        """
        threats = self._memory.threats
        found = threat_wins.search(threats, attacker, defender, _CAP)
        self._nodes += int(threats.counters[0])
        if found != WON:
            return None
        line, nodes = threat_wins.shortest(threats, attacker, defender, _CAP)
        self._nodes += nodes
        return line

    def _is_late(self) -> bool:
        """Whether the first part of the time is over, or the search was stopped."""
        move_ms = self._limit.move_ms
        return self._watch.stopped() or (move_ms is not None and _PARTS * self._watch.elapsed_ms() >= move_ms)

    def _answers(self, x: int, o: int, marks: int = NO_BOUND) -> Answers:
        found = qubic_memory.answers(x, o, _CAP, marks)
        self._nodes += found.nodes
        return found

    def _longest(self, x: int, o: int, entry: Entry) -> tuple[Move, ...]:
        """X's move and the line in which O resists longest."""
        line: list[Move] = []
        found: Entry | None = entry
        while found:
            line.append(found.move)
            marks = x.bit_count() + found.moves
            x |= 1 << found.move
            answers = self._answers(x, o, marks)
            entries = {reply: qubic_memory.entry(x, o | 1 << reply) for reply in answers.left}
            plies = {reply: entry.plies for reply, entry in entries.items() if entry}
            plies |= {reply: 2 * moves - 1 for reply, moves in answers.moves.items()}
            reply = max(plies, key=lambda reply: plies[reply])
            line.append(reply)
            o |= 1 << reply
            found = entries.get(reply)
        return (*line, *(self._attack(x, o) or ()))
