"""What Altekar says of his two evaluations: the sum wins slowly, the weighted one loses more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from client.lab.experiments.estimates import average
from client.lab.experiments.findings import Cell, Estimate, Figure, Section, Table
from client.lab.experiments.lab import Lab, by_bot
from engine.bots.match import Played, Task
from engine.bots.player import Limit

PLIES: Final = (2, 3)
EVALUATIONS: Final = ("sum", "weighted")
GAMES: Final = 200
"""Games of each pairing, at most."""
_OPENING: Final = 2
_AHEAD: Final = "depth3:balanced,3"
_STRONGER: Final = ("alphabeta:2", _AHEAD)
"""Bots that see more than his program, as do those for whom the sum is easy to beat."""
Games = Sequence[Played]


def section(lab: Lab, against_random: Mapping[tuple[int, str], Games]) -> Section:
    """`against_random` are the games of each depth and evaluation against random."""
    found = lab.play("the two evaluations", _groups(lab))
    heads = {ply: found[_name(ply, "weighted"), _name(ply, "sum")] for ply in PLIES}
    stronger = {
        (ply, evaluation, other): found[_name(ply, evaluation), other]
        for ply in PLIES
        for evaluation in EVALUATIONS
        for other in _STRONGER
    }
    return Section(
        "The two evaluations",
        [
            "He says that the sum plays not to lose, takes long to win and is easy to beat for those who think several "
            "moves ahead, and that the weighted one goes for wins, overlooks losses, as shows against a human, "
            "and loses much more. We let both play random, each other, their own other depth, and two programs that "
            f"see more, from openings of {_OPENING} random plies but for random."
        ],
        [
            *(_slow(ply, against_random) for ply in PLIES),
            *(_loses(ply, heads[ply], stronger) for ply in PLIES),
            *(_easy(ply, stronger[ply, "sum", _AHEAD]) for ply in PLIES),
            *(_deeper(evaluation, found[_name(3, evaluation), _name(2, evaluation)]) for evaluation in EVALUATIONS),
        ],
        [
            Table(
                "The weighted evaluation against the sum",
                ["plies", "games", "weighted won %", "lost %", "drawn %", "plies of a game"],
                [[str(ply), len(games), *by_bot(games), _length(games)] for ply, games in heads.items()],
            ),
            Table(
                "Against programs that see more",
                ["plies", "evaluation", "against", "games", "won %", "lost %", "drawn %", "plies of a game"],
                [_row(key, games) for key, games in stronger.items()],
            ),
        ],
    )


def _groups(lab: Lab) -> dict[tuple[str, str], list[Task]]:
    pairs = [(_name(ply, "weighted"), _name(ply, "sum")) for ply in PLIES]
    pairs += [(_name(3, evaluation), _name(2, evaluation)) for evaluation in EVALUATIONS]
    names = [_name(ply, evaluation) for ply in PLIES for evaluation in EVALUATIONS]
    pairs += [(name, other) for name in names for other in _STRONGER]
    # Without its own 5 s a game does not depend on the machine; no bot here looks further than 3 plies.
    return {(a, b): lab.swapped("qubic", a, b, _OPENING, Limit(depth=3))[:GAMES] for a, b in pairs}


def _name(ply: int, evaluation: str) -> str:
    return f"altekar-alphabeta:{ply},{evaluation}"


def _row(key: tuple[int, str, str], games: Games) -> list[Cell]:
    ply, evaluation, other = key
    return [str(ply), evaluation, f"`{other}`", len(games), *by_bot(games), _length(games)]


def _length(games: Games) -> Estimate | None:
    return average([float(len(game.record.cells())) for game in games])


def _slow(ply: int, against_random: Mapping[tuple[int, str], Games]) -> Figure:
    slow, fast = (_length(against_random[ply, evaluation]) for evaluation in ("sum", "weighted"))
    assert slow is not None
    assert fast is not None
    longer = slow.value > fast.value
    return Figure(
        f"plies of a game against random, sum, {ply} plies",
        "long",
        slow,
        agrees=longer,
        note=f"With the weighted evaluation {fast.value:.1f}"
        + ("." if longer else ": the sum is not slower at this depth."),
    )


def _loses(ply: int, head: Games, stronger: Mapping[tuple[int, str, str], Games]) -> Figure:
    won, lost, _ = by_bot(head)
    assert won is not None
    assert lost is not None
    told = []
    for other in _STRONGER:
        of_sum, of_weighted = (_lost(stronger[ply, evaluation, other]) for evaluation in ("sum", "weighted"))
        told.append(f"against `{other}` the sum loses {of_sum:.0f} %, the weighted one {of_weighted:.0f} %")
    return Figure(
        f"lost by the weighted evaluation to the sum, {ply} plies",
        "much more than the sum",
        lost,
        "%",
        agrees=(lost.low or 0) > 50,
        note=f"It wins {won.value:.0f} %; {'; '.join(told)}. He says that this shows against a human opponent, and his "
        "weights of two and three marks are not given.",
    )


def _easy(ply: int, games: Games) -> Figure:
    lost = by_bot(games)[1]
    assert lost is not None
    easy = (lost.low or 0) > 50
    note = "" if easy else "It loses no more than half of them."
    return Figure(f"lost by the sum to `{_AHEAD}`, {ply} plies", "easy to beat", lost, "%", agrees=easy, note=note)


def _deeper(evaluation: str, games: Games) -> Figure:
    won, lost, drawn = by_bot(games)
    assert won is not None
    assert lost is not None
    assert drawn is not None
    better = (won.low or 0) > (lost.high or 0)
    return Figure(
        f"won by 3 plies against 2, {evaluation}",
        "noticeably better",
        won,
        "%",
        agrees=better,
        note=f"{lost.value:.1f} % lost, {drawn.value:.1f} % drawn"
        + ("." if better else ": no difference beyond chance in these games."),
    )


def _lost(games: Games) -> float:
    lost = by_bot(games)[1]
    return lost.value if lost else 0.0
