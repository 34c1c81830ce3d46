"""The session that replaces a failed one: it takes over what the failed one knew and no event contains."""

from __future__ import annotations

from server.play.effects import Effect
from server.play.inputs import Restored, RunningClock, StoreDown
from server.play.session import Session


def go_on(failed: Session, session: Session, *, members: int, can_commit: bool, now_ms: int) -> list[Effect]:
    """Let `session`, rebuilt from the committed events, go on where `failed` stopped.

    Its clock goes on as it was, if it is the same turn; whoever was away still is; search numbers go on, so that the
    answer to an earlier search is not taken for a later one's.
    """
    clock = failed.clock
    same_turn = failed.game.turn_seq == session.game.turn_seq
    restored = Restored(
        away_since_ms=failed.away_since_ms,
        members=members,
        clock=RunningClock(clock.spent_ms, clock.since_ms) if same_turn else None,
        searches=failed.searches,
    )
    effects = session.handle(restored, now_ms)
    return effects if can_commit else [*effects, *session.handle(StoreDown(), now_ms)]


def never_opened(failed: Session, now_ms: int) -> Session:
    """A session as it was created, of which nothing was committed."""
    return Session(failed.room, failed.spec, failed.rules, opened_ms=now_ms, pace=failed.pace)
