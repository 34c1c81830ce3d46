"""`noughts solve nine-board`: a search that may take days, and survives being interrupted.

A checkpoint holds the positions near the root, with what is known of each and what it cost, and those of the kernel's
table that cost most (engine/search/solve/nine_board_tree.py, engine/kernels/nine_board_proof.py).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Generator
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import click
import numpy as np

from client.lab.outputs import Solved
from client.lab.solve import checkpoint
from client.lab.solve.lock import locked
from client.lab.solve.memory import available_bytes
from client.lab.solve.nine_board import known as nine_board_known
from client.lab.solve.nine_board.known import Known
from client.lab.solve.nine_board.parts import Parts
from client.lab.solve.nine_board.proof import ProofFile
from client.lab.solve.nine_board.rows import ROW, packed, unpacked
from client.lab.solve.nine_board.search import ClusterLost, Here, Looked, TreeSearch, Workers
from client.lab.solve.nine_board.threads import Threads
from client.lab.solve.options import SolveOptions
from client.lab.solve.saving import NOT_SAVED, Saving, alone, must_be_apart, saved_if_it_fails, uninterrupted
from engine.rules.nested import NestedPosition
from engine.rules.position import Side
from engine.search.solve.nine_board_solver import ENTRIES, ENTRY_BYTES, Place, Solution, Solver, Unsound
from engine.search.solve.nine_board_strategy import Claim, Part, claims, first_places
from engine.search.solve.nine_board_tree import Row
from server.console.as_json import print_json
from server.console.counted import counted
from server.console.exits import INTERRUPTED
from server.console.files import in_one_sentence, must_be_writable, new_file
from server.workers.cluster.address import processes

LINE_EVERY_S: Final = 10
"""Seconds between two lines of progress."""
SAVE_EVERY_S: Final = 60
MOST_BYTES: Final = 20_000_000
"""Most bytes of a checkpoint, unless the positions near the root alone take more."""
VERSION: Final = "3"
"""Version of the solver: it changes with the code whose checkpoints it marks, which a test pins."""
_KIND: Final = "solve nine-board"
_SPARE_BYTES: Final = 300_000_000
"""Memory used besides the table, with the libraries."""
_PART_BYTES: Final = 75_000_000
"""Memory used by a thread that finds a part of a proof."""


def solve(position: NestedPosition, options: SolveOptions) -> int:
    """The exit status. Raises click.ClickException, in one sentence, without memory or a place for the proof."""
    session = _Session(options)
    must_be_apart(
        {
            "--out": options.out,
            "--known": options.known,
            "--checkpoint": session.path,
            "the file for the parts of the proof": session.parts_path,
        },
        saved=(options.known, session.path),
    )
    if options.out is not None:
        must_be_writable(options.out)
    decided = _known(options.known)
    entries = ENTRIES if options.megabytes is None else max(4, options.megabytes * 1_000_000 // ENTRY_BYTES)
    threads = None if options.cluster is None else processes(options.cluster)
    _must_fit(entries * ENTRY_BYTES, (threads or 1) * _PART_BYTES if options.out else 0)
    with ExitStack() as stack:
        stack.enter_context(alone(session.path))
        solver = Solver(entries, session)
        workers: Workers = Here(solver)
        if threads is not None:
            workers = stack.enter_context(closing(Threads(solver, threads)))
        elif options.cluster is not None:
            from client.lab.solve.nine_board.cluster import ClusterWorkers

            say = partial(click.echo, err=True)
            workers = stack.enter_context(closing(ClusterWorkers(options.cluster, entries, say)))
        search = TreeSearch(solver, workers, position, session.looked, decided)
        session.begin(solver, search)
        return _run(position, solver, search, session, options, threads or 1)


def _known(path: Path | None) -> Known:
    if path is None:
        return {}
    must_be_writable(path)
    try:
        return nine_board_known.read(path)
    except checkpoint.Unusable as error:
        raise click.UsageError(f"{path} holds no decided positions of nine-board: {error}.") from None


def _run(
    position: NestedPosition, solver: Solver, search: TreeSearch, session: _Session, options: SolveOptions, threads: int
) -> int:
    proof: ProofFile | None = None
    with ExitStack() as stack:
        try:
            solution = search.solve()
            session.is_solved = True
            if options.out is not None:
                with saved_if_it_fails(session.save), in_one_sentence(session.parts_path):
                    made = ProofFile(session.parts_path, position, claims(solution.value))
                    proof = stack.enter_context(closing(made))
                    _prove(proof, position, solver, session, threads)
        except KeyboardInterrupt:
            with uninterrupted():
                is_saved = session.save()  # before it is said: who reads it may be interrupted as well
                try:
                    _leave_known(options.known, session)
                finally:
                    click.echo(f"Interrupted. {session.progress()}", err=options.as_json)
                    if is_saved:
                        print(f"The same command resumes; the search is saved in {session.path}.", file=sys.stderr)
            return INTERRUPTED
        except ClusterLost as error:
            resumes = f"The same command resumes; the search is saved in {session.path}."
            is_saved = session.save()
            _leave_known(options.known, session)
            raise click.ClickException(f"{error} {resumes if is_saved else NOT_SAVED}") from None
        except Unsound as error:
            raise click.ClickException(_explained(error, options.known)) from None
        _print(position, solution, session, options.as_json)
        if options.out is not None and proof is not None:
            with saved_if_it_fails(session.save):
                _copy(proof, options.out)
    _leave_known(options.known, session)
    session.finish()
    return 0


def _explained(error: Unsound, path: Path | None) -> str:
    """What is to be done about a wrong result."""
    if path is None or not any(_known(path).values()):
        return str(error)
    return f"The result is wrong, perhaps because of a position in {path}: solve with --fresh and without --known."


def _leave_known(path: Path | None, session: _Session) -> None:
    if path is None:
        return
    # Another solve that ends now waits until it can read what this one adds.
    with in_one_sentence(path), locked(path):
        nine_board_known.write(path, nine_board_known.joined(_known(path), session.decided()))


def _copy(proof: ProofFile, out: Path) -> None:
    with in_one_sentence(out), new_file(out) as partial, partial.open("wb") as file:
        size = proof.copy_to(file)
    print(f"The proof, {size:,} bytes, is in {out}. `noughts verify` checks it.", file=sys.stderr)


def _prove(proof: ProofFile, position: NestedPosition, solver: Solver, session: _Session, threads: int) -> None:
    """Raises OSError, Unsound and what `session` does."""

    def parts(claim: Claim, missing: list[Place]) -> Generator[Part]:
        search = Parts(solver, threads, claim, missing)
        with closing(search.found()) as found:
            for part in found:
                if part is not None:
                    session.nodes_elsewhere += part.nodes
                    yield part
                session.proof_moves = proof.moves + search.moves
                session()

    proof.prove(lambda claim: first_places(solver, position, claim), parts)


class _Session:
    """One run of a search that may need several; reports progress on stderr and saves it from time to time."""

    def __init__(self, options: SolveOptions) -> None:
        self._question = " ".join(["nine-board", *options.moves])
        self._is_fresh = options.is_fresh
        self._saving = Saving(
            options.checkpoint or checkpoint.default_path(self._question), partial(click.echo, err=True)
        )
        self._solver: Solver | None = None
        self._search: TreeSearch | None = None
        self._began_cpu_s = time.process_time()
        self._earlier_cpu_s = 0.0
        self._earlier_nodes = 0
        self.nodes_elsewhere = 0
        """Positions that other solvers than the tree's visited."""
        self._cpu_elsewhere_s = 0.0
        self.is_solved = False
        self.proof_moves = 0
        """Moves of the proof that are found."""
        self._reported_s = self._saved_s = time.monotonic()

    @property
    def path(self) -> Path:
        return self._saving.path

    @property
    def parts_path(self) -> Path:
        """File of the proof parts that are found: it is removed in the end, so its name is one that no user chooses."""
        return self.path.with_name(f"{self.path.name}.proof-parts")

    @property
    def nodes(self) -> int:
        """Positions visited, in this session and those it resumes."""
        assert self._solver is not None
        return self._earlier_nodes + self.nodes_elsewhere + self._solver.nodes

    @property
    def cpu_s(self) -> float:
        return self._earlier_cpu_s + self._cpu_elsewhere_s + time.process_time() - self._began_cpu_s

    def begin(self, solver: Solver, search: TreeSearch) -> None:
        """Resume from the checkpoint, if there is one. Parts of a proof go on with it alone: they have no version."""
        self._solver, self._search = solver, search
        if not self._is_recalled():
            with suppress(OSError):  # a solve that writes a proof there is told
                ProofFile.remove(self.parts_path)
            return
        self._adopt_parts()
        self._saving.resumed(f"{self._earlier_nodes:,} positions in {self._earlier_cpu_s:.0f} s of CPU so far")

    def _adopt_parts(self) -> None:
        """Take over the parts of an earlier version, which kept them under a name that a whole proof may have too."""
        earlier = self.path.with_name(f"{self.path.name}.proof")
        with suppress(OSError):  # they are found again
            if not self.parts_path.exists() and ProofFile.is_unfinished(earlier):
                earlier.rename(self.parts_path)

    def _is_recalled(self) -> bool:
        try:
            found = checkpoint.read(self.path, _KIND, self._question, self._is_fresh)
            if found is not None:
                with checkpoint.odd_is_unusable():
                    self._recall(*found)
        except checkpoint.Unusable as error:
            self._saving.ignored(error, error.is_another)
            return False
        return found is not None

    def __call__(self) -> None:
        """Called between two slices of the search."""
        now_s = time.monotonic()
        if now_s - self._reported_s >= LINE_EVERY_S:
            self._reported_s = now_s
            print(self.progress(), file=sys.stderr, flush=True)
        if now_s - self._saved_s >= SAVE_EVERY_S:
            self.save()
            self._saved_s = time.monotonic()

    def looked(self, found: Looked) -> None:
        """A position near the root was searched."""
        self.nodes_elsewhere += found.nodes_elsewhere
        self._cpu_elsewhere_s += found.cpu_elsewhere_s
        self()

    def progress(self) -> str:
        """What is known so far, in a sentence."""
        assert self._search is not None
        cost = f"{self.nodes:,} positions in {self.cpu_s:.0f} s of CPU."
        if self.is_solved:
            return f"Solved, and {self.proof_moves:,} moves of the proof are found; {cost}"
        known = self._search.known
        held = "" if known.attacker == "x" else "X cannot win. "
        return (
            f"{held}Undecided whether {known.attacker.upper()} can win: proof number {known.proof:,}, disproof number "
            f"{known.disproof:,}; {cost}"
        )

    def decided(self) -> Known:
        assert self._search is not None
        return {side: list(tree.rows()) for side, tree in self._search.trees.items()}

    def save(self) -> bool:
        """False if that failed."""
        assert self._solver is not None
        assert self._search is not None
        trees = {side: packed(list(tree.rows())) for side, tree in self._search.trees.items()}
        most = max(0, MOST_BYTES - sum(rows.nbytes for rows in trees.values())) // ENTRY_BYTES
        arrays = (*self._solver.remembered(most), *trees.values())
        head = {
            "version": VERSION,
            "positions": len(arrays[0]),
            "rows": {side: len(rows) for side, rows in trees.items()},
            "nodes": self.nodes,
            "cpu_s": round(self.cpu_s, 3),
        }
        return self._saving.done(partial(checkpoint.write, self.path, _KIND, self._question, head, arrays))

    def finish(self) -> None:
        self._saving.over(partial(checkpoint.remove, self.path, _KIND, self._question))
        self._saving.over(partial(ProofFile.remove, self.parts_path))

    def _recall(self, head: dict[str, Any], body: memoryview) -> None:
        assert self._solver is not None
        assert self._search is not None
        if head["version"] != VERSION:
            raise checkpoint.Unusable("another version of the solver wrote it")
        count = head["positions"]
        keys = np.frombuffer(body, np.uint64, count)
        numbers = np.frombuffer(body, np.uint32, 2 * count, 8 * count).reshape(-1, 2)
        work = np.frombuffer(body, np.float32, count, 16 * count)
        earlier = checkpoint.spent(head)
        rows: dict[Side, list[Row]] = {}
        offset = ENTRY_BYTES * count
        if not isinstance(head["rows"], dict):
            raise TypeError
        for side, number in head["rows"].items():
            if side not in ("x", "o"):
                raise ValueError(side)
            rows[side] = unpacked(body, offset, number)
            offset += ROW.itemsize * number
        self._search.recall(rows)
        self._solver.recall(keys.copy(), numbers.copy(), work.copy())
        self._search.teach()
        self._earlier_nodes, self._earlier_cpu_s = earlier


def _print(position: NestedPosition, solution: Solution, session: _Session, as_json: bool) -> None:
    rules = position.rules
    best = [] if solution.best is None else [rules.format_move(solution.best)]
    if as_json:
        cpu_s = round(session.cpu_s, 3)
        print_json(Solved(rules.id, solution.value, cpu_s, ply=position.ply, best=best, nodes=session.nodes))
        return
    if solution.value == "draw":
        click.echo(f"{rules.id}: a draw with best play.")
    else:
        click.echo(f"{rules.id}: {solution.value.upper()} wins; the number of plies was not computed.")
    if best:
        click.echo(f"A best move: {best[0]}")
    click.echo(f"{counted(session.nodes, 'position')} in {session.cpu_s:.2f} s of CPU.")


def _must_fit(table: int, parts: int) -> None:
    """Fails early: libraries that run out of memory while loading fail with obscure errors."""
    free, spare = available_bytes(), _SPARE_BYTES + parts
    if free is not None and table + spare > free:
        most = (free - spare) // 1_000_000
        ask = f"ask for at most --memory {most}" if most > 0 else "free some memory"
        raise click.ClickException(
            f"There is no room for {table // 1_000_000:,} MB for positions plus {spare // 1_000_000} MB; only "
            f"{free // 1_000_000:,} MB are free here: {ask}."
        )
