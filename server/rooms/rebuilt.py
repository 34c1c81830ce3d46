"""The session that goes on where one failed: what the failed one knew and no event contains."""

from __future__ import annotations

from server.play.effects import Effect
from server.play.inputs import Restored, RunningClock, StoreDown
from server.play.session import Session


def go_on(failed: Session, session: Session, *, members: int, can_commit: bool, now_ms: int) -> list[Effect]:
    """Have `session`, made of the committed events, go on in the place of `failed`.

    A clock goes on as it was, if it is the same turn; who is away stays away; searches are numbered on, so that no
    answer to an earlier one is taken for that to a later.
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
    """One of which nothing was committed, as it was made."""
    return Session(failed.room, failed.spec, failed.rules, opened_ms=now_ms, pace=failed.pace)
