"""`noughts solve` of flat boards and cubes: a search that may take hours, and survives being interrupted."""

from __future__ import annotations

import math
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from client.lab.outputs import Solved
from client.lab.solve.flat import draw as flat_draw
from client.lab.solve.memory import available_bytes
from client.lab.solve.options import SolveOptions
from client.lab.solve.saving import Saving, must_be_apart, saved_if_it_fails, uninterrupted
from engine.bots import roster
from engine.rules.flat import FlatPosition, FlatRules
from engine.rules.position import Rules
from server.console.as_json import print_json
from server.console.counted import counted
from server.console.exits import INTERRUPTED
from server.console.files import must_be_writable, write_file

if TYPE_CHECKING:
    from engine.search.solve.solver import Known, Solution, Solver

LINE_EVERY_S: Final = 10
"""Seconds between two lines of progress."""
SAVE_EVERY_S: Final = 30
_SAVING_PART: Final = 20
"""On a slow disk, saving takes at most one second in this many."""
_SPARE_BYTES: Final = 60_000_000
"""Memory used besides the table while solving."""
_LOADING_BYTES: Final = 400_000_000
"""Memory needed before the search begins."""
_YEAR_S: Final = 31_557_600


def strongest(rules: Rules) -> str:
    """The bot to use for unsolved games."""
    return next(name for name in ("perfect", "strongest") if roster.bot(name).plays(rules))


def solve(position: FlatPosition, options: SolveOptions) -> int:
    """The exit status. Raises click.UsageError, in one sentence, if the board is too large for the solver or memory."""
    _must_load()
    from engine.kernels.solving import ALL, ENTRY_BYTES
    from engine.search.solve.flat_proof import prove, to_bytes
    from engine.search.solve.solver import ENTRIES, IDEAS, Solver, solvable

    if not solvable(position.rules):
        raise click.UsageError(_too_large(position))
    out, megabytes, without, as_json = options.out, options.megabytes, options.without, options.as_json
    must_be_apart({"--out": out, "--checkpoint": options.checkpoint}, saved=(options.checkpoint,))
    if out is not None:
        _can_be_proven(out, without)
    ideas = ALL
    for idea in without:
        ideas &= ~IDEAS[idea]
    # An odd number, so that places in the table depend on all of a position.
    entries = ENTRIES if megabytes is None else megabytes * 1_000_000 // ENTRY_BYTES | 1
    _must_fit(entries * ENTRY_BYTES, megabytes)
    if flat_draw.is_tried(position, without):
        try:
            if flat_draw.solve(position.rules, megabytes, out, as_json):
                return 0
        except KeyboardInterrupt:
            lost = f"Interrupted. Nothing of {position.rules.id} is saved: the same command starts over."
            click.echo(lost, err=as_json)
            return INTERRUPTED
    question = " ".join([position.rules.id, *options.moves, *(f"without {idea}" for idea in sorted(set(without)))])
    session = _Session(question, options.checkpoint, position)
    try:
        solver = Solver(position.rules, ideas, entries, session)
    except MemoryError:
        raise click.ClickException(_no_room(entries * ENTRY_BYTES, megabytes, available_bytes())) from None
    session.begin(solver, options.is_fresh)
    try:
        solution = solver.solve(position)
        _print(position, solution, session, as_json)
        proof = None if out is None else prove(solver, position, solution, session.report_proof)
    except KeyboardInterrupt:
        with uninterrupted():
            is_saved = session.save()  # before it is said: who reads it may be interrupted as well
            certain = _certain(solver.known, session.nodes)
            click.echo(f"Interrupted. Certain of {position.rules.id} so far: {certain}", err=as_json)
            if is_saved:
                print(f"The same command resumes; the search is saved in {session.path}.", file=sys.stderr)
        return INTERRUPTED
    if out is not None and proof is not None:
        with saved_if_it_fails(session.save):
            write_file(out, to_bytes(proof))
        print(f"The proof, {proof.records:,} records, is in {out}. `noughts verify {out}` checks it.", file=sys.stderr)
    session.finish()
    return 0


def _can_be_proven(out: Path, without: tuple[str, ...]) -> None:
    if "table" in without:
        raise click.UsageError("--out needs the table: the proof is read from it.")
    must_be_writable(out)


class _Session:
    """One run of a search that may need several; reports on stderr what is certain, and saves it from time to time."""

    def __init__(self, question: str, path: Path | None, position: FlatPosition) -> None:
        from client.lab.solve.flat import checkpoint as flat_checkpoint

        self._store = flat_checkpoint
        self._question = question
        self._position = position
        self._saving = Saving(path or flat_checkpoint.default_path(question), partial(click.echo, err=True))
        self._solver: Solver | None = None
        self._began_cpu_s = 0.0
        self._earlier_cpu_s = 0.0
        self._earlier_nodes = 0
        self._reported_s = self._saved_s = time.monotonic()
        self._save_every_s: float = SAVE_EVERY_S
        self._outlook_shown = False
        self._loaded: tuple[float, int] | None = None
        """CPU seconds and nodes by the end of the first slice, which loads or compiles the kernel."""

    @property
    def path(self) -> Path:
        return self._saving.path

    @property
    def nodes(self) -> int:
        """Positions visited, in this session and those it resumes."""
        assert self._solver is not None
        return self._earlier_nodes + self._solver.nodes

    @property
    def cpu_s(self) -> float:
        return self._earlier_cpu_s + time.process_time() - self._began_cpu_s

    def begin(self, solver: Solver, fresh: bool) -> None:
        self._solver = solver
        self._began_cpu_s = time.process_time()
        try:
            saved = self._store.load(self.path, self._question, fresh)
        except self._store.Unusable as error:
            self._saving.ignored(error, error.is_another)
            return
        if saved is not None:
            solver.recall(saved.known, saved.facts)
            self._earlier_nodes, self._earlier_cpu_s = saved.nodes, saved.cpu_s
            self._saving.resumed(f"{saved.nodes:,} positions in {saved.cpu_s:.0f} s of CPU so far")

    def _nodes_per_s(self) -> float:
        """Nodes a second of CPU in this run; 0 while unknown."""
        cpu_s, nodes = self._loaded or (self.cpu_s, self.nodes)
        return (self.nodes - nodes) / max(self.cpu_s - cpu_s, 0.001)

    def __call__(self, known: Known) -> None:
        self._loaded = self._loaded or (self.cpu_s, self.nodes)
        now_s = time.monotonic()
        if now_s - self._reported_s >= LINE_EVERY_S:
            self._reported_s = now_s
            print(_certain(known, self.nodes), file=sys.stderr, flush=True)
            nodes_per_s = self._nodes_per_s()
            if nodes_per_s and not self._outlook_shown:
                self._outlook_shown = True
                print(_outlook(self._position, nodes_per_s), file=sys.stderr, flush=True)
        if now_s - self._saved_s >= self._save_every_s:
            self.save()
            self._saved_s = time.monotonic()
            self._save_every_s = max(SAVE_EVERY_S, (self._saved_s - now_s) * _SAVING_PART)

    def report_proof(self, records: int) -> None:
        now_s = time.monotonic()
        if now_s - self._reported_s >= LINE_EVERY_S:
            self._reported_s = now_s
            print(f"Solved; the proof has {records:,} records so far.", file=sys.stderr, flush=True)

    def save(self) -> bool | None:
        """False if that failed; None if there is nothing to save."""
        assert self._solver is not None
        known, facts = self._solver.remembered(self._store.MOST_POSITIONS)
        if not len(known):
            return None
        saved = self._store.Saved(known, facts, self.nodes, self.cpu_s)
        return self._saving.done(partial(self._store.save, self.path, self._question, saved))

    def finish(self) -> None:
        self._saving.over(partial(self._store.remove, self.path, self._question))


def _print(position: FlatPosition, solution: Solution, session: _Session, as_json: bool) -> None:
    rules = position.rules
    best = [rules.texts[move] for move in solution.best]
    line = [rules.texts[move] for move in solution.line]
    if as_json:
        print_json(
            Solved(
                rules.id, solution.value, round(session.cpu_s, 3), ply=position.ply, plies=solution.plies, best=best,
                line=line, nodes=session.nodes,
            )
        )  # fmt: skip
        return
    if solution.plies is None:
        click.echo(f"{rules.id}: a draw with best play.")
        what = "draw"
    else:
        click.echo(f"{rules.id}: {solution.value.upper()} wins in {counted(solution.plies, 'ply', 'plies')}.")
        what = "win as fast" if solution.value == position.to_move else "hold out as long"
    click.echo(f"Moves that {what}, {len(best)} of {len(position.legal_moves())}: {' '.join(best)}")
    if line:
        click.echo(f"One such game: {' '.join(line)}")
    click.echo(f"{counted(session.nodes, 'position')} in {session.cpu_s:.2f} s of CPU.")


def _certain(known: Known, nodes: int) -> str:
    from engine.kernels.solving import ALWAYS

    facts = [f"{known.wins.upper()} wins"] if known.wins else []
    for side, plies in known.held.items():
        facts.append(f"no win of {side.upper()}" + ("" if plies == ALWAYS else f" within {plies} plies"))
    return f"{', '.join(facts) or 'nothing yet'}; {nodes:,} positions."


def _must_load() -> None:
    """Fails early: libraries that run out of memory while loading fail with obscure errors."""
    free = available_bytes()
    if free is not None and free < _LOADING_BYTES:
        raise click.ClickException(
            f"Solving needs at least {_LOADING_BYTES // 1_000_000} MB, but only {free // 1_000_000:,} MB are free "
            "here: free some memory, or raise the limit (ulimit -v)."
        )


def _must_fit(table: int, megabytes: int | None) -> None:
    free = available_bytes()
    if free is not None and table + _SPARE_BYTES > free:
        raise click.ClickException(_no_room(table, megabytes, free))


def _no_room(table: int, megabytes: int | None, free: int | None) -> str:
    asked = f"{megabytes or table // 1_000_000:,} MB for positions plus {_SPARE_BYTES // 1_000_000} MB"
    if free is None:
        return f"There is no room for {asked}: ask for less with --memory."
    most = (free - _SPARE_BYTES) // 1_000_000
    ask = f"ask for at most --memory {most}" if most > 0 else "free some memory"
    return f"There is no room for {asked}; only {free // 1_000_000:,} MB are free here: {ask}."


def _positions(position: FlatPosition) -> int:
    """Ways to put marks on the empty cells."""
    cells = position.rules.cells - position.ply
    return sum(math.comb(cells, ply) * math.comb(ply, ply // 2) for ply in range(cells + 1))


def _magnitude(number: int) -> int:
    return len(str(number)) - 1


def _outlook(position: FlatPosition, nodes_per_s: float) -> str:
    """How long it may take: boards solved so far took about the square root of their positions.

    See docs/solving/flat.md.
    """
    nodes = math.isqrt(_positions(position))
    return (
        f"Boards of this size, 10^{_magnitude(_positions(position))} positions, take roughly {nodes:,} visits: "
        f"about {_duration(nodes / nodes_per_s)} at this speed, give or take a factor of several."
    )


def _duration(seconds: float) -> str:
    for unit, unit_s in (("years", _YEAR_S), ("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * unit_s:
            amount = seconds / unit_s
            return f"10^{_magnitude(int(amount))} {unit}" if amount >= 10_000 else f"{amount:.0f} {unit}"
    return f"{seconds:.0f} seconds"


def _too_large(position: FlatPosition) -> str:
    positions = _positions(position)
    duration = _duration(math.isqrt(positions) / _nodes_per_s())
    return (
        f"{position.rules.id} is too large to solve here: it has about 10^{_magnitude(positions)} positions from "
        f"there; the largest board solved so far has 10^16. Boards solved so far took about the square root of their "
        f"positions, which would be {duration} on this machine; "
        f"the strongest bot that plays it is `{strongest(position.rules)}`."
    )


def _nodes_per_s() -> float:
    """Speed of this machine, measured by a small solve."""
    from engine.rules.registry import rules
    from engine.search.solve.solver import Solver

    for game in ("tictactoe", "mnk:5,5,4"):  # The first loads the kernel.
        board = rules(game)
        assert isinstance(board, FlatRules)
        solver = Solver(board, entries=(1 << 18) - 1)
        began_s = time.process_time()
        solver.solve(board.initial)
    return solver.nodes / max(time.process_time() - began_s, 0.001)
