"""What a player asks of a new room: checked field by field, and made into the room's spec."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from engine.bots.player import Limit
from engine.bots.roster import Bot, UnknownBot
from engine.rules.position import IllegalMove, MalformedMove, Rules, UnknownGame, play_all
from engine.rules.registry import rules as find_rules
from server.play.room_spec import RoomSpec
from server.play.writes import StoreUnavailable
from server.rooms.refused import Refused
from server.rooms.room.services import Secrets
from server.wire import BadClock, BotLimit, ClockSettings, Create, Player, RefusedField, Seat, Side, check_clock

MOVE_LIMIT_MS = 86_400_000
NODE_LIMIT = 10**12
DEPTH_LIMIT = 1000


class SeatablePlayers(Protocol):
    """Who may take a seat; both raise StoreUnavailable."""

    async def person(self, id: str) -> Player | None:
        """The player with this id, connected or not; None if there is none."""

    async def bot_player(self, bot: Bot) -> str:
        """The player id of a bot in its present version."""


class BotQueue(Protocol):
    def bot(self, name: str) -> Bot:
        """Raises UnknownBot."""

    def refusal(self, bot: Bot, person: str) -> str | None:
        """Why a bot cannot play for this player now, in one sentence."""


class CreateChecks:
    """`check_waiting` raises Refused where a player may not wait in another room of a kind."""

    def __init__(
        self,
        players: SeatablePlayers,
        bots: BotQueue,
        check_waiting: Callable[[Player, str], None],
        secrets: Secrets,
    ) -> None:
        self._players = players
        self._bots = bots
        self._check_waiting = check_waiting
        self._secrets = secrets

    async def spec(self, creator: Player, request: Create) -> tuple[RoomSpec, Rules]:
        """The spec of the room to make, with the rules of its game. Raises Refused."""
        try:
            rules = find_rules(request.game)
        except UnknownGame as error:
            raise Refused("bad_game", str(error), "game") from None
        _check_form(request)
        clock = None
        if request.clock is not None:
            try:
                clock = check_clock(request.clock)
            except BadClock as error:
                raise Refused("bad_clock", str(error), error.field) from None
        limit = _checked_limit(request.limit)
        kind = "bots" if request.bots is not None else request.opponent.kind if request.opponent is not None else "open"
        rated = bool(request.rated)
        start = _checked_start(rules, request.start or [])
        x, o, target = await self._seats(creator, request, kind, rules, limit)
        bots = [self._bots.bot(seat.bot) for seat in (x, o) if seat is not None and seat.bot is not None]
        _check_opening(bots, len(start))
        _check_time(bots, clock)
        same = x is not None and o is not None and x.id == o.id
        if rated and (same or clock is None or start):
            raise Refused(
                "malformed",
                "A rated game needs two different players and a clock, and starts from the empty board.",
                "rated",
            )
        spec = RoomSpec(
            game=rules.id,
            kind=kind,
            creator=creator,
            x=x,
            o=o,
            target=target,
            clock=clock,
            limit=limit,
            rated=rated,
            start=start,
            pace=request.pace,
            takebacks=all(bot.entry.opening_plies is None for bot in bots),
        )
        return spec, rules

    async def _seats(
        self, creator: Player, request: Create, kind: str, rules: Rules, limit: BotLimit | None
    ) -> tuple[Seat | None, Seat | None, str | None]:
        """Who sits at x and o from the start, and the one player for whom the free seat is kept."""
        me = Seat(id=creator.id, name=creator.name, kind=creator.kind, present=True)
        if request.bots is not None:
            x = await self._bot_seat(creator, request.bots.x, rules, limit, "bots.x")
            return x, await self._bot_seat(creator, request.bots.o, rules, limit, "bots.o"), None
        if kind == "self":
            return me, me, None
        other: Seat | None = None
        target: str | None = None
        opponent = request.opponent
        if opponent is not None and opponent.bot is not None:
            other = await self._bot_seat(creator, opponent.bot, rules, limit, "opponent.bot")
        else:
            self._check_waiting(creator, kind)
        if opponent is not None and opponent.player is not None:
            target = await self._challenged(creator, opponent.player)
        side: Side = "o" if request.seat == "o" or (request.seat != "x" and self._secrets.randbelow(2)) else "x"
        return (me, other, target) if side == "x" else (other, me, target)

    async def _bot_seat(self, creator: Player, name: str, rules: Rules, limit: BotLimit | None, field: str) -> Seat:
        """`field` is where the bot was named."""
        try:
            bot = self._bots.bot(name)
        except UnknownBot as error:
            raise Refused("unknown_bot", str(error), field) from None
        if not bot.plays(rules):
            raise Refused("bad_bot", f"{bot.name} does not play {rules.id}.", field)
        refusal = bot.takes(Limit(limit.move_ms, limit.nodes, limit.depth)) if limit is not None else None
        if refusal is not None:
            raise Refused("bad_bot", refusal, "limit")
        busy = self._bots.refusal(bot, creator.id)
        if busy is not None:
            raise Refused("busy", busy)
        try:
            player = await self._players.bot_player(bot)
        except StoreUnavailable as error:
            raise Refused(
                "unavailable", "The server cannot store anything just now; it will recover by itself."
            ) from error
        return Seat(id=player, name=bot.name, kind="bot", present=True, bot=bot.name)

    async def _challenged(self, creator: Player, id: str) -> str:
        player = await self._players.person(id)
        if player is None:
            raise Refused("not_found", "There is no such player to challenge.", "opponent.player")
        if player.id == creator.id:
            raise Refused("malformed", "To play against yourself, choose the opponent self.", "opponent.player")
        return player.id


def _check_form(request: Create) -> None:
    """Fields that do not go together are malformed."""
    opponent = request.opponent
    if request.bots is not None:
        if request.seat not in (None, "none") or opponent is not None:
            raise Refused("malformed", "bots fills both seats: use it with the seat none and without an opponent.")
        return
    if request.seat == "none":
        raise Refused("malformed", "The seat none needs bots, which play each other.")
    if opponent is None:
        return
    if (opponent.kind == "bot") != (opponent.bot is not None):
        raise Refused("malformed", "Only an opponent of kind bot has a bot, and it needs one.")
    if (opponent.kind == "player") != (opponent.player is not None):
        raise Refused("malformed", "Only an opponent of kind player has a player, and it needs one.")


def _checked_limit(limit: BotLimit | None) -> BotLimit | None:
    if limit is None:
        return None
    bounds = (
        ("move_ms", limit.move_ms, MOVE_LIMIT_MS),
        ("nodes", limit.nodes, NODE_LIMIT),
        ("depth", limit.depth, DEPTH_LIMIT),
    )
    given = [(name, value, most) for name, value, most in bounds if value is not None]
    if len(given) != 1:
        raise Refused("malformed", "A limit is exactly one of move_ms, nodes and depth.", "limit")
    name, value, most = given[0]
    if not 1 <= value <= most:
        bound = RefusedField(name=f"limit.{name}", least=1, most=most)
        raise Refused("bad_bot", f"The limit {name} must be 1 to {most}, not {value}.", bound)
    return limit


def _check_opening(bots: list[Bot], plies: int) -> None:
    for bot in bots:
        most = bot.entry.opening_plies
        if most is not None and plies > most:
            raise Refused(
                "bad_bot", f"{bot.name} follows each game from its start: a start has {most} moves at most.", "start"
            )


def _check_time(bots: list[Bot], clock: ClockSettings | None) -> None:
    """A bot may need a minimum time for a move, more than a short clock can give it."""
    if clock is None:
        return
    most_ms = clock.move_ms or clock.initial_ms
    for bot in bots:
        refusal = bot.takes(Limit(move_ms=most_ms))
        if refusal is not None:
            raise Refused("bad_bot", refusal, "clock")


def _checked_start(rules: Rules, start: list[str]) -> list[str]:
    try:
        position = play_all(rules.initial, map(rules.parse_move, start))
    except MalformedMove as error:
        raise Refused("malformed", f"The start is wrong: {error}", "start") from None
    except IllegalMove as error:
        raise Refused("illegal_move", f"The start is wrong: {error}", "start") from None
    if position.outcome is not None:
        raise Refused("illegal_move", "The game is already over after this start.", "start")
    return list(start)
