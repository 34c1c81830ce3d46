"""`make attack`: attacks a server on this machine beside honest players, and tells what it did to them."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median

import click
import msgspec
import uvloop

from client.lab.bench.machine import machine, memory, raise_file_limit
from client.lab.bench.processes import noughts
from client.lab.bench.wire import BenchError
from tests.attack.catalogue import ATTACKS
from tests.attack.entry import Attack
from tests.attack.honest import Honest, p99_ms
from tests.attack.outcome import HEAD, Outcome, Told, markdown, row, shown_by_tests
from tests.attack.target import Refused, Target, target

MANY = 100
_WARM_S = 3.0
_GRACE_S = 30.0
"""How long an attack may go on past its time before its process is ended."""
_SETTLE_S = 2.0
_IDLE_STRETCHES = 5
"""Before the first attack: the worst of a single one are chance, and may be what the attack before has left."""


@click.command()
@click.argument("names", metavar="[NAME]...", nargs=-1, type=click.Choice([*ATTACKS]))
@click.option(
    "--server", metavar="URL", help="A server on this machine, as ws://127.0.0.1:8765; one of its own if left out."
)
@click.option("--seconds", type=click.FloatRange(1, 600), default=5.0, show_default=True, help="Of each attack.")
@click.option("--list", "listed", is_flag=True, help="Only say what there is.")
def attack(names: Sequence[str], server: str | None, seconds: float, listed: bool) -> None:
    """Attack a server on this machine, each attack from one address and from a hundred, beside honest players.

    Prints a table of what each did to them. Attacks that only tests show are listed with these.
    """
    chosen = [ATTACKS[name] for name in names or ATTACKS]
    if listed:
        click.echo("\n".join(shown_by_tests(chosen)))
        return
    raise_file_limit()
    live = [one for one in chosen if one.visit is not None]
    try:
        with ExitStack() as stack:
            outcomes = uvloop.run(_fight(*_servers(server, stack), live, seconds)) if live else []
    except (Refused, BenchError) as error:
        raise click.ClickException(str(error)) from None
    except asyncio.CancelledError:
        raise click.ClickException("stopped; its servers are ended.") from None
    if any(outcome.damage for outcome in outcomes):
        raise click.ClickException("an attack did damage.")


def _servers(server: str | None, stack: ExitStack) -> tuple[Target, Target | None]:
    """The one to be attacked and, if it is our own, another that is not."""
    if server is not None:
        return target(server), None
    return _own(stack), _own(stack)


def _own(stack: ExitStack) -> Target:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="noughts-attack-")))
    own = stack.enter_context(noughts(folder, limits=True))
    return Target("127.0.0.1", own.port, own.pid)


async def _fight(at: Target, beside: Target | None, attacks: Sequence[Attack], seconds: float) -> list[Outcome]:
    fighting = asyncio.current_task()
    assert fighting is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, fighting.cancel)
    load, *_ = os.getloadavg()
    click.echo(f"{machine(Path(tempfile.gettempdir())).computer}; load {load:.1f} at the start; {seconds:g} s each\n")
    honest = await _Players.seated(at, beside)
    outcomes: list[Outcome] = []
    try:
        await honest.play(_WARM_S)
        idle = [(await honest.play(seconds))[0] for _ in range(_IDLE_STRETCHES)]
        click.echo("\n".join(markdown([HEAD])))
        for number, one in enumerate(attacks):
            for count in (1, MANY) if at.has_many_sources else (1,):
                outcomes.append(await _attacked(at, honest, one, _sources(at, number, count), seconds, idle))
                click.echo(markdown([HEAD, row(outcomes[-1])])[-1])
                if outcomes[-1].failures:
                    honest.close()
                    honest = await _Players.seated(at, beside)
    finally:
        honest.close()
    return outcomes


class _Players:
    """Honest players of the server that is attacked and, where there is one, of the other beside it."""

    def __init__(self, *groups: Honest) -> None:
        self._groups = groups

    @classmethod
    async def seated(cls, *servers: Target | None) -> _Players:
        return cls(*[await Honest.seated(one) for one in servers if one is not None])

    async def play(self, seconds: float) -> tuple[float, float | None]:
        """The 99th percentiles in ms, there and beside. Raises BenchError for a refusal."""
        found = [p99_ms(ack_s) for ack_s in await asyncio.gather(*(group.play(seconds) for group in self._groups))]
        return found[0], found[1] if len(found) > 1 else None

    def close(self) -> None:
        for group in self._groups:
            group.close()


def _sources(at: Target, number: int, count: int) -> list[str]:
    """Addresses that no other attack has used up."""
    if not at.has_many_sources:
        return []
    return [f"127.{20 + number}.{count}.{host + 1}" for host in range(count)]


async def _attacked(
    at: Target, honest: _Players, one: Attack, sources: Sequence[str], seconds: float, idle: list[float]
) -> Outcome:
    """`idle` has the 99th percentile of each stretch without an attack, to which this adds one."""
    idle.append((await honest.play(seconds))[0])
    before = _held(at)
    cpu_s, begun = at.cpu_s(), asyncio.get_running_loop().time()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.attack.one", one.name, at.host, str(at.port), str(seconds), *sources,
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    await process.stdout.readline()
    failures: list[str] = []
    attacked, beside = float("inf"), None
    try:
        attacked, beside = await honest.play(seconds)
    except (BenchError, TimeoutError) as error:
        failures.append(f"an honest player: {error or 'no answer'}")
    used = 100 * (at.cpu_s() - cpu_s) / (asyncio.get_running_loop().time() - begun)
    told = await _told(process)
    await asyncio.sleep(_SETTLE_S)
    after = _held(at)
    return Outcome(
        name=one.name,
        sources=len(sources) or 1,
        told=told,
        idle_ms=median(idle),
        attacked_ms=attacked,
        beside_ms=beside,
        cpu_percent=used,
        grown_mb=(after[0] - before[0]) / 2**20,
        files=after[1] - before[1],
        failures=failures,
    )


async def _told(process: asyncio.subprocess.Process) -> Told:
    try:
        async with asyncio.timeout(_GRACE_S):
            out, _ = await process.communicate()
        return msgspec.json.decode(out, type=Told)
    except (TimeoutError, msgspec.MsgspecError):
        if process.returncode is None:
            process.kill()
        raise BenchError("An attacking process did not end in good order.") from None


def _held(at: Target) -> tuple[int, int]:
    """Bytes of memory and open files of the server, where they can be seen."""
    if at.pid is None:
        return 0, 0
    return memory(at.pid).rss, len(os.listdir(f"/proc/{at.pid}/fd"))


if __name__ == "__main__":
    attack()
