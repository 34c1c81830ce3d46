"""`noughts verify`: check a proof with independent code."""

from __future__ import annotations

import os
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from server.console.as_json import json_option, print_json
from server.console.examples import examples
from server.console.files import named_file
from server.console.interrupts import interrupted_by_signals
from server.console.progress import Step, progress

if TYPE_CHECKING:
    from client.lab.outputs import ProvenPosition

_FLAT: Final = b"flatgame"
_NINE_BOARD: Final = b"ninegame"
_QUBIC: Final = b"qubicwin"
_KIND_BYTES: Final = 8


@click.command(epilog=examples("noughts verify", "noughts verify qubic.book --json"))
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--jobs",
    type=click.IntRange(1, 1024),
    default=1,
    show_default=True,
    help="Processes that check parts of a proof of nine-board.",
)
@json_option("client.lab.outputs:Verified")
@interrupted_by_signals()
def verify(file: Path | None, jobs: int, as_json: bool) -> None:
    """Check FILE, a proof written by `noughts solve GAME --out FILE`.

    Without FILE, check the proof for Qubic that comes with the package, from which `perfect` plays. Each kind of
    proof has a checker of its own, which shares no code with the solver.
    """
    from client.lab.verify import (
        breaker_checker,
        flat_checker,
        nine_board_checker,
        qubic_checker,
    )  # makes tables, which `--help` does without

    began_s = _cpu_s()
    try:
        data = _read(file) if file else files("engine.search.perfect").joinpath("qubic.book").read_bytes()
        words, number, what, position = _checked(data, jobs)
    except BrokenProcessPool:
        raise click.ClickException(
            "A process that checked a part was ended, perhaps for want of memory: use fewer --jobs."
        ) from None
    except MemoryError:
        raise click.ClickException("There is not enough memory here to check this file.") from None
    except (
        breaker_checker.Rejected,
        flat_checker.Rejected,
        nine_board_checker.Rejected,
        qubic_checker.Rejected,
    ) as error:
        raise click.ClickException(str(error)) from None
    cpu_s = _cpu_s() - began_s
    if as_json:
        from client.lab.outputs import Verified

        print_json(Verified(words, position, number, round(cpu_s, 3)))
        return
    click.echo(f"Proven: {words}.")
    if position.x:
        click.echo(_shown(position))
    click.echo(f"Checked {number:,} {what} and every reply to each, in {cpu_s:.1f} s of CPU.")


def _read(file: Path) -> bytes:
    """The whole proof; of what is none only how it begins, however long it is."""
    with named_file(file), file.open("rb") as opened:
        begins = opened.read(_KIND_BYTES)
        return begins + opened.read() if begins in (_FLAT, _NINE_BOARD, _QUBIC) else begins


def _cpu_s() -> float:
    """CPU seconds, those of child processes that have ended included."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _checked(data: bytes, jobs: int = 1) -> tuple[str, int, str, ProvenPosition]:
    """What is proven, how many of what were checked for it, and of which position it is.

    Raises Rejected of one of the checkers.
    """
    from client.lab.outputs import ProvenPosition
    from client.lab.verify import breaker_checker, flat_checker, nine_board_checker, qubic_checker

    empty = ProvenPosition([], [])
    if data.startswith(_FLAT + b"\2"):
        words, positions = breaker_checker.check(data)
        return words, positions, "positions", empty
    if data.startswith(_FLAT):
        words, records = flat_checker.check(data)
        return words, records, "records", ProvenPosition(*flat_checker.position(data))
    if data.startswith(_NINE_BOARD):
        with progress() as shows, ExitStack() as stack:
            steps = list[Step]()

            def told(done: int, of: int) -> None:
                if not steps:
                    steps.append(stack.enter_context(shows.step("parts", of)))
                steps[0].advance()

            words, moves = nine_board_checker.check(data, jobs, told)
        return words, moves, "moves", ProvenPosition(*nine_board_checker.position(data))
    if not data.startswith(_QUBIC):
        raise qubic_checker.Rejected("This is not a proof by `noughts solve`: its first bytes are wrong.")
    records, plies = qubic_checker.check(data)
    return f"X wins on Qubic in at most {plies} plies, whatever O plays", records, "positions with X to move", empty


def _shown(position: ProvenPosition) -> str:
    from msgspec import UNSET

    text = f"The position: X has {' '.join(position.x)}; O has {' '.join(position.o) or 'nothing'}"
    if position.board is UNSET:
        return f"{text}."
    where = "anywhere" if position.board is None else f"in board {position.board}"
    return f"{text}; the next move is {where}."
