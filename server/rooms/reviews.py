"""Reviews in progress: which moves are still to be judged, and who waits for them.

One task a game has its moves judged, one after the other from the last to the first, and commits each before sending
it. So a review that is broken off, because nobody waits any more or by `kill -9`, resumes there when somebody asks
again. Several connections may wait for one game; its review ends when none does any more.

Games are judged in the order of asking, a move each in turn, by workers that have nothing else to do.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import Protocol

from engine.analysis.verdict import MoveVerdict
from server.db.play import GameRow
from server.db.review import review_writes
from server.play.rate_limit import share_of_address
from server.play.writes import Committer, StoreUnavailable
from server.rooms.members import Member, Origin, text_frame
from server.rooms.refused import Refused
from server.wire import Ack, Error, Review, encode
from server.wire.review_view import judged_moves
from server.workers.child import NotJudged, ReviewJob

log = logging.getLogger(__name__)

SEND_INTERVAL_S = 0.25
"""New verdicts are sent at most this often."""
REVIEWS = 64
"""Games under review at a time; the next one is `busy`."""
REVIEWS_A_PLAYER = 3
"""Games under review that one player may wait for at a time."""
FAILURES_ALLOWED = 3
"""Moves that may fail to be judged, each twice, before the others are left as well."""
BUDGET_MS = 60_000
"""Judging a move takes two seconds of processor time at most. Its workers have the lowest priority, so on a busy
machine that may take long; one that takes this long is stuck."""


class FinishedGames(Protocol):
    """See `Store`."""

    async def game(self, id: int) -> GameRow | None: ...

    async def cells(self, game_id: int) -> list[int]: ...

    async def verdicts(self, game_id: int) -> dict[int, MoveVerdict]:
        """What is stored, by ply."""


class Judge(Protocol):
    async def judge(self, job: ReviewJob) -> MoveVerdict:
        """Raises NotJudged; cancelling it stops the worker."""


class Reviews:
    """The reviews of a server. `ask` and `cancel` answer requests; ended by `close`."""

    def __init__(self, games: FinishedGames, judge: Judge, committer: Committer, unix_ms: Callable[[], int]) -> None:
        self._games = games
        self._judge = judge
        self._committer = committer
        self._unix_ms = unix_ms
        self._running: dict[int, _Review] = {}

    @property
    def running(self) -> int:
        return len(self._running)

    async def ask(self, origin: Origin, game_id: int) -> None:
        """Tell of what is judged and have the rest judged. Raises Refused and StoreUnavailable."""
        game = await self._games.game(game_id)
        if game is None or not game.visible_to(int(origin.member.player.id)):
            raise Refused("not_found", f"There is no game {game_id}.")
        if game.termination is None:
            raise Refused("not_now", "This game is still running; it can be reviewed once it is over.")
        review = self._running.get(game_id) or await self._review(game)
        if not origin.member.open:
            return
        if not review.over:
            self._check_bounds(review, origin.member)
            if review.game.id not in self._running:
                self._begin(review)
        origin.send(Ack(id=origin.id))
        review.join(origin.member)

    def cancel(self, origin: Origin, game_id: int) -> None:
        """Send this connection no more verdicts; does nothing where it waits for none."""
        review = self._running.get(game_id)
        if review is not None:
            review.leave(origin.member)
        origin.send(Ack(id=origin.id))

    async def close(self) -> None:
        """End all reviews; what is judged stays judged."""
        for review in list(self._running.values()):
            await review.close()

    async def _review(self, game: GameRow) -> _Review:
        """A game's review as it is stored, or as it goes on if somebody else began it meanwhile."""
        cells = await self._games.cells(game.id)
        judged = await self._games.verdicts(game.id)
        return self._running.get(game.id) or _Review(game, cells, judged, self)

    async def judge(self, game_id: int, ply: int, job: ReviewJob) -> MoveVerdict:
        """What is committed of a move. Raises NotJudged, or StoreUnavailable where it cannot be committed."""
        judged = await self._judge.judge(job)
        await self._committer.write(review_writes(game_id, [(ply, judged)], self._unix_ms()))
        return judged

    def _check_bounds(self, review: _Review, member: Member) -> None:
        others = [one for one in self._running.values() if one is not review]
        if sum(one.waited_for_by(member.player.id) for one in others) >= REVIEWS_A_PLAYER:
            raise Refused("busy", f"{REVIEWS_A_PLAYER} games are being reviewed for you; wait for one or cancel it.")
        if review.game.id in self._running:
            return
        if len(self._running) >= REVIEWS:
            raise Refused("busy", f"{REVIEWS} games are being reviewed already; try again later.")
        share = share_of_address(REVIEWS - len(self._running), REVIEWS_A_PLAYER)
        if sum(one.waited_for_from(member.address) for one in others) >= share:
            raise Refused("busy", "Many games are being reviewed for your address; try again when some are done.")
        if not self._committer.available:
            raise Refused("unavailable", "The server cannot store reviews just now; try again later.")

    def _begin(self, review: _Review) -> None:
        self._running[review.game.id] = review
        review.begin()

    def on_ended(self, review: _Review) -> None:
        if self._running.get(review.game.id) is review:
            del self._running[review.game.id]


class _Review:
    """The review of one finished game: what is judged, who waits, and the task that has the rest judged."""

    def __init__(self, game: GameRow, cells: list[int], judged: dict[int, MoveVerdict], reviews: Reviews) -> None:
        self.game = game
        self._start = game.start_cells()
        self._cells = cells
        self._judged = {ply: said for ply, said in judged.items() if ply < len(cells)}
        """by ply, in the order of judging: a member who was sent n of them still needs the rest"""
        self._reviews = reviews
        self._sent: dict[Member, int] = {}
        """how many verdicts each connection was sent"""
        self._players: Counter[str] = Counter()
        self._addresses: Counter[str] = Counter()
        """of these connections: the limits for one player and one address count them in every review"""
        self._timer: asyncio.TimerHandle | None = None
        """set while it is too soon to send more"""
        self._task: asyncio.Task[None] | None = None

    # Who waits

    @property
    def over(self) -> bool:
        return len(self._judged) == len(self._cells)

    def waited_for_by(self, player: str) -> bool:
        return self._players[player] > 0

    def waited_for_from(self, address: str) -> bool:
        return self._addresses[address] > 0

    def join(self, member: Member) -> None:
        """Send a connection all verdicts so far, and later ones as they come. Asked again, send all of them again."""
        member.write(self._message(0))
        if self.over:
            return
        if member not in self._sent:
            self._players[member.player.id] += 1
            self._addresses[member.address] += 1
        self._sent[member] = len(self._judged)
        member.following[self] = None

    def leave(self, member: Member) -> None:
        """The member is gone or has cancelled. The review ends when nobody waits for it."""
        if self._sent.pop(member, None) is None:
            return
        self._players[member.player.id] -= 1
        self._addresses[member.address] -= 1
        member.following.pop(self, None)
        if not self._sent:
            self._end()

    # The work

    def begin(self) -> None:
        self._task = asyncio.create_task(self._run(), name=f"review of game {self.game.id}")

    async def close(self) -> None:
        task = self._task
        self._end()
        if task is not None:
            await asyncio.wait([task])

    def _end(self) -> None:
        """At once: a later request begins a new review."""
        if self._timer is not None:
            self._timer.cancel()
        for member in self._sent:
            member.following.pop(self, None)
        self._sent.clear()
        self._players.clear()
        self._addresses.clear()
        self._reviews.on_ended(self)
        if self._task is not None and self._task is not asyncio.current_task():
            self._task.cancel()

    async def _run(self) -> None:
        trouble = None
        try:
            try:
                await self._judge_the_rest()
            finally:
                self._send()
        except NotJudged:
            trouble = "Some moves could not be judged because their workers died or hung; ask again to retry."
        except StoreUnavailable:
            trouble = "The server cannot store anything just now; ask again later to resume the review."
        except Exception:
            # Whoever waits must not wait forever.
            log.exception("a review failed", extra={"game": self.game.id})
            trouble = "The server could not continue this review; ask again to retry."
        if trouble is not None:
            frame = text_frame(encode(Error(code="unavailable", message=trouble, game=self.game.id)))
            for member in self._sent:
                member.write(frame)
        self._end()

    async def _judge_the_rest(self) -> None:
        """Raises NotJudged if moves are left over, StoreUnavailable if nothing can be committed."""
        failures = 0
        for ply in reversed(range(len(self._cells))):
            if ply in self._judged:
                continue
            try:
                judged = await self._reviews.judge(self.game.id, ply, self._job(ply))
            except NotJudged:
                failures += 1
                if failures == FAILURES_ALLOWED:
                    raise
                continue
            self._judged[ply] = judged
            self._send_soon()
        if failures:
            raise NotJudged

    def _job(self, ply: int) -> ReviewJob:
        return ReviewJob(self.game.game, (*self._start, *self._cells[:ply]), self._cells[ply], BUDGET_MS)

    # Messages

    def _send_soon(self) -> None:
        if self._timer is None:
            self._send()
            self._timer = asyncio.get_running_loop().call_later(SEND_INTERVAL_S, self._send_more)

    def _send_more(self) -> None:
        self._timer = None
        if any(sent < len(self._judged) for sent in self._sent.values()):
            self._send_soon()

    def _send(self) -> None:
        """Send everybody the verdicts that they do not have yet."""
        frames: dict[int, bytes] = {}
        for member, sent in self._sent.items():
            if sent < len(self._judged):
                if sent not in frames:
                    frames[sent] = self._message(sent)
                member.write(frames[sent])
                self._sent[member] = len(self._judged)

    def _message(self, sent: int) -> bytes:
        """The verdicts after the first `sent`."""
        moves = judged_moves(self.game.game, islice(self._judged.items(), sent, None))
        message = Review(game=self.game.id, done=len(self._judged), of=len(self._cells), moves=moves)
        return text_frame(encode(message))
