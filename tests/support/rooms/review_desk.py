"""Reviews made by hand: time, commits and workers do what a test says, when it says so. Time is that of a `World`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from engine.analysis.verdict import VERSION, MoveVerdict
from server.db.play import GameRow
from server.db.review import verdict_row
from server.play.writes import Statement, StoreUnavailable, Write
from server.rooms.members import Origin
from server.rooms.reviews import Reviews
from server.workers.child import NotJudged, ReviewJob
from tests.support.http.record_examples import GAME
from tests.support.rooms.fakes import FakeMember, World, settle


def judged(ply: int) -> MoveVerdict:
    """What the fake workers say: another value for each ply."""
    return MoveVerdict("even", False, ply / 100, None, False, (ply,), "even", None, 7)


class PendingVerdict:
    """A move that a review wants to have judged."""

    def __init__(self, job: ReviewJob) -> None:
        self.job = job
        self.answer: asyncio.Future[MoveVerdict] = asyncio.get_running_loop().create_future()
        self.stopped = False

    @property
    def ply(self) -> int:
        return len(self.job.cells)


class ReviewDesk:
    """Reviews over finished games of tic-tac-toe without moves set up beforehand, 100, 101, ... of five moves each."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.games: dict[int, GameRow] = {}
        self.moves: dict[int, list[int]] = {}
        self.stored: dict[int, dict[int, MoveVerdict]] = {}
        self.asked: list[PendingVerdict] = []
        """of the workers, all that there were"""
        self.reads = 0
        self.store_fails = False
        for game in range(100, 200):
            self.add(game)
        self.reviews = Reviews(self, self, self, world.clock.unix_ms)

    def add(self, game: int, plies: int = 5, **changes: Any) -> None:
        cells = {"start": "[]", "game": "tictactoe", "plies": plies, "private": 0, "termination": "resignation"}
        self.games[game] = replace(GAME, id=game, **(cells | changes))
        self.moves[game] = list(range(plies))

    # What a test does

    async def ask(self, member: FakeMember, game: int = 100, id: int | None = None) -> None:
        await self.reviews.ask(Origin(member, id), game)
        await settle()

    async def cancel(self, member: FakeMember, game: int = 100, id: int | None = None) -> None:
        self.reviews.cancel(Origin(member, id), game)
        await settle()

    @property
    def at_work(self) -> list[PendingVerdict]:
        """What the workers have not answered and nobody has stopped."""
        return [asked for asked in self.asked if not asked.answer.done()]

    async def answer(self, times: int = 1) -> None:
        """The workers say what they found of the oldest move, so many times."""
        for _ in range(times):
            asked = self.at_work[0]
            asked.answer.set_result(judged(asked.ply))
            await settle()

    async def fail(self) -> None:
        self.at_work[0].answer.set_exception(NotJudged("crash"))
        await settle()

    # What reviews are given

    @property
    def available(self) -> bool:
        return self.world.available

    async def game(self, id: int) -> GameRow | None:
        self.reads += 1
        await asyncio.sleep(0)
        if not self.world.readable:
            raise StoreUnavailable("The disk is gone.")
        return self.games.get(id)

    async def cells(self, game_id: int) -> list[int]:
        await asyncio.sleep(0)
        return self.moves[game_id]

    async def verdicts(self, game_id: int) -> dict[int, MoveVerdict]:
        await asyncio.sleep(0)
        return dict(self.stored.get(game_id, {}))

    async def write(self, writes: Sequence[Write]) -> None:
        await self.world.committer.write(writes)
        for statement, values in writes:
            if statement is Statement.BEGIN_REVIEW:
                assert values[1] == VERSION
            elif statement is Statement.ADD_JUDGED:
                game, *row = values
                assert isinstance(game, int)
                ply, said = verdict_row(*row)  # type: ignore[arg-type]
                self.stored.setdefault(game, {})[ply] = said

    async def judge(self, job: ReviewJob) -> MoveVerdict:
        asked = PendingVerdict(job)
        self.asked.append(asked)
        try:
            return await asked.answer
        except asyncio.CancelledError:
            asked.stopped = True
            raise


def desk() -> ReviewDesk:
    return ReviewDesk(World())
