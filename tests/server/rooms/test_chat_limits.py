from __future__ import annotations

from server.play.rate_limit import Refusal
from server.rooms.chat_limits import BURST_S, SHARED, ChatLimits


def said(limits: ChatLimits, count: int, *, player: str = "", room: str = "r", seated: bool = False) -> list[str]:
    """The refusals of so many lines at once, each by another player at another address unless one is named."""
    players = [player or f"p{number}" for number in range(count)]
    refusals = [limits.refusal(one, one, room, is_seated=seated, now_ms=0) for one in players]
    return [refusal.sentence for refusal in refusals if refusal is not None]


def test_a_player_speaks_at_a_rate() -> None:
    limits = ChatLimits(2)
    assert said(limits, 2 * BURST_S, player="ann", seated=True) == []
    assert said(limits, 1, player="ann", seated=True) == ["You are sending many messages: try again in 1 s."]
    assert limits.refusal("ann", "a", "r", is_seated=True, now_ms=500) is None


def test_players_of_one_address_share_a_limit() -> None:
    limits = ChatLimits(1)
    lines = [limits.refusal(f"p{n}", "a", f"r{n}", is_seated=True, now_ms=0) for n in range(SHARED * BURST_S + 1)]
    assert set(lines[:-1]) == {None}
    assert lines[-1] == Refusal("chat_rate", "Your address is sending many messages: try again in 1 s.")


def test_spectators_of_one_room_share_a_limit_that_players_do_not_feel() -> None:
    limits = ChatLimits(1)
    assert said(limits, SHARED * BURST_S) == []
    assert said(limits, 1, player="late") == ["This room's spectators are sending many messages: try again in 1 s."]
    assert said(limits, 1, player="ann", seated=True) == []
    assert said(limits, 1, player="bob", room="another") == []


def test_no_limit() -> None:
    assert said(ChatLimits(0), 1_000, player="ann") == []
