"""What one move of qubic costs on its whole way: parse, rules, session, commit, acknowledgement, two events."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from client.lab.bench.figures import Figure, Part, figure
from client.lab.bench.processes import noughts, relay
from client.lab.bench.server.tables import Hall, Played, long_game, noughts_hall, relay_hall

GAME = "qubic"
RATIO_TARGET = 2.2


class Load(Struct, frozen=True):
    """`tables` games at a time; `rate` moves a second are offered to all of them, 0 for as many as possible."""

    tables: int = 500
    rate: float = 10_000
    pairs: int = 5


async def measure(folder: Path, load: Load) -> Part:
    """Whole games, in turn at the control and at the server."""
    moves = long_game(GAME)
    with relay(folder) as control, noughts(folder) as subject:
        halls = (
            await relay_hall(control, load.tables, moves),
            await noughts_hall(subject, [(GAME, moves)] * load.tables),
        )
        await _pair(halls, load)  # warms both up
        pairs = [await _pair(halls, load) for _ in range(load.pairs)]
        for hall in halls:
            hall.close()
    return Part(
        "moves",
        f"processor time of a move of {GAME}: {load.tables} games of {len(moves)} moves at a time, {_offered(load)}",
        figures(pairs),
        notes=["the control is the relay; of each pair it plays first"],
    )


def figures(pairs: list[tuple[Played, Played]]) -> list[Figure]:
    controls, subjects = [control for control, _ in pairs], [subject for _, subject in pairs]
    return [
        figure("control", "µs", [one.cpu_us for one in controls]),
        figure("noughts", "µs", [one.cpu_us for one in subjects]),
        figure("ratio of each pair", "", [subject.cpu_us / control.cpu_us for control, subject in pairs], RATIO_TARGET),
        figure("control, moves done", "/s", [one.rate for one in controls]),
        figure("noughts, moves done", "/s", [one.rate for one in subjects]),
        *_ack_figures("control", controls),
        *_ack_figures("noughts", subjects),
    ]


def _ack_figures(name: str, played: list[Played]) -> list[Figure]:
    return [
        figure(f"{name}, ack {word}", "ms", [one.ack_ms(share) for one in played])
        for word, share in (("p50", 0.5), ("p99", 0.99))
    ]


async def _pair(halls: tuple[Hall, Hall], load: Load) -> tuple[Played, Played]:
    control, subject = halls
    return await control.play(rate=load.rate), await subject.play(rate=load.rate)


def _offered(load: Load) -> str:
    return f"{load.rate:,.0f} moves/s offered" if load.rate else "saturated"
