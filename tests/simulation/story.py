"""A story: what people do and what happens to them, step by step, all of one seed.

A step knows when it comes, whom it concerns and its own chance, so that a story without some of its steps is a story
too: that is how one is shortened to what matters.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, get_args

from client.sdk.room_view import RoomView
from server.wire import Error, Lobby, Reply
from tests.simulation.broken import Broken
from tests.simulation.medium import Operation
from tests.simulation.people import WrongMove
from tests.simulation.reads import Read

if TYPE_CHECKING:
    from tests.simulation.people import Person, Tab
    from tests.simulation.world import World

STEPS = 220
GAMES = ("tictactoe",) * 6 + ("mnk:4,4,4", "cube:3", "ultimate", "nine-board")
CLOCKS: tuple[dict[str, int] | None, ...] = (
    None, None, {"initial_ms": 60_000, "increment_ms": 2_000}, {"initial_ms": 20_000}, {"move_ms": 15_000},
    {"initial_ms": 300_000, "increment_ms": 5_000},
)  # fmt: skip
NO_LOBBY = Lobby(seeks=[], rooms=[], players=0, challenges=[], people=[])
BOTS = ("random", "alphabeta:2", "level:3", "strongest")


@dataclass(frozen=True)
class Step:
    """`who` is a number of a person, `chance` what it draws from."""

    at_ms: int
    what: str
    who: int
    chance: int


def story(seed: int) -> list[Step]:
    random = Random(f"{seed}: story")
    kinds, weights = list(_ACTS), [weight for weight, _ in _ACTS.values()]
    at_ms, steps = 0, []
    people = random.choice((2, 3, 5, 8))
    for number in range(people):
        at_ms += random.randint(0, 2000)
        steps.append(Step(at_ms, "arrive", number, random.getrandbits(32)))
    for _ in range(STEPS):
        at_ms += int(random.expovariate(1 / 4_000))
        if random.random() < 0.02:
            at_ms += random.randint(30_000, 400_000)
        what = random.choices(kinds, weights)[0]
        steps.append(Step(at_ms, what, random.randrange(people), random.getrandbits(32)))
    return steps


async def act(world: World, step: Step) -> None:
    person = world.people[step.who]
    said = await _ACTS[step.what][1](world, person, Random(step.chance))
    if said is not None:
        world.tell(said)


# What people do; each answers with what it was, in words, or None where there was nothing to do

Did = str | None


async def _arrive(world: World, person: Person, random: Random) -> Did:
    if person.tabs:
        return None
    person.arrive()
    return f"{person.name} arrives."


async def _create(world: World, person: Person, random: Random) -> Did:
    tab = person.tab
    if tab is None:
        return None
    message: dict[str, Any] = {"t": "create", "game": random.choice(GAMES)}
    kind = random.choice(("open", "open", "invite", "invite", "bot", "bot", "self", "player", "bots"))
    clock = random.choice(CLOCKS)
    if clock is not None:
        message["clock"] = clock
    if kind == "bots":
        message |= {"seat": "none", "bots": {"x": random.choice(BOTS), "o": random.choice(BOTS)}}
        tab.ask(**message)
        return f"{person.name} has two bots play {message['game']}."
    opponent: dict[str, Any] = {"kind": kind}
    if kind == "bot":
        opponent["bot"] = random.choice(BOTS)
    elif kind == "player":
        others = [other.id for other in world.people if other.id is not None and other is not person]
        if not others:
            return None
        opponent["player"] = random.choice(others)
    message |= {"opponent": opponent, "seat": random.choice(("x", "o", "random"))}
    if clock is not None and kind in ("open", "invite", "bot", "player") and random.random() < 0.5:
        message["rated"] = True
    if random.random() < 0.1 and kind == "bot":
        message["pace"] = "human"
    tab.ask(**message)
    return f"{person.name} makes a room: {message}."


async def _join(world: World, person: Person, random: Random) -> Did:
    tab = person.tab
    if tab is None:
        return None
    waiting = [room for room in world.public[-12:] if room not in tab.views]
    codes = world.codes[-6:]
    if codes and (not waiting or random.random() < 0.5):
        code = random.choice(codes)
        tab.ask(t="join", code=code)
        return f"{person.name} joins by the code {code}."
    if not waiting:
        return None
    room = random.choice(waiting)
    tab.ask(t="join", room=room)
    return f"{person.name} joins room {room}."


async def _watch(world: World, person: Person, random: Random) -> Did:
    tab = person.tab
    if tab is None or not world.public:
        return None
    room = random.choice(world.public[-8:])
    tab.ask(t="watch", room=room)
    return f"{person.name} watches room {room}."


async def _leave(world: World, person: Person, random: Random) -> Did:
    tab = person.tab
    if tab is None or not tab.views:
        return None
    room = random.choice(list(tab.views))
    tab.ask(t="leave", room=room)
    return f"{person.name} leaves room {room}."


def _seated(person: Person, random: Random) -> tuple[Tab, RoomView] | None:
    """A room where they sit, running ones rather."""
    tab = person.tab
    views = [view for view in tab.views.values() if view.you is not None] if tab is not None else []
    running = [view for view in views if view.running]
    if tab is None or not views:
        return None
    return tab, random.choice(running if running and random.random() < 0.8 else views)


def _action(*actions: str) -> Callable[[World, Person, Random], Awaitable[Did]]:
    async def did(world: World, person: Person, random: Random) -> Did:
        found = _seated(person, random)
        if found is None:
            return None
        tab, view = found
        action = random.choice(actions)
        tab.ask(t="act", room=view.room, game=view.serial, action=action)
        return f"{person.name} asks to {action.replace('_', ' ')} in room {view.room}."

    return did


async def _rematch(world: World, person: Person, random: Random) -> Did:
    tab = person.tab
    views = [view for view in tab.views.values() if view.result is not None and view.you] if tab is not None else []
    if tab is None or not views:
        return None
    room = random.choice(views).room
    tab.ask(t="rematch", room=room)
    return f"{person.name} asks for a rematch in room {room}."


async def _wrong_move(world: World, person: Person, random: Random) -> Did:
    found = _seated(person, random)
    if found is None:
        return None
    tab, view = found
    move = random.choice((*view.moves[-2:], "zz9", *view.legal[:4]))
    ply = len(view.moves) + random.choice((0, 0, 0, 1, -1))
    tab.ask(t="move", room=view.room, game=view.serial, ply=max(0, ply), move=WrongMove(move))
    return f"{person.name} tries {move} as ply {ply} in room {view.room}."


async def _same_move_again(world: World, person: Person, random: Random) -> Did:
    found = _seated(person, random)
    if found is None:
        return None
    tab, view = found
    mine = [ply for ply in range(len(view.moves)) if view.you in ("both", "xo"[(len(view.start) + ply) % 2])]
    if not mine:
        return None
    ply = random.choice(mine)

    def answered(answer: Reply) -> None:
        known = tab.views.get(view.room)
        there = known is not None and known.serial == view.serial and known.moves[: ply + 1] == view.moves[: ply + 1]
        if there and isinstance(answer, Error) and answer.code != "unavailable" and "takeback" not in answer.message:
            raise Broken("acknowledged", f"{person.name} sent ply {ply} again and is refused: {answer.message}")

    for _ in range(2):
        tab.ask(answered, t="move", room=view.room, game=view.serial, ply=ply, move=view.moves[ply])
    return f"{person.name} sends ply {ply} of room {view.room} again."


async def _say(world: World, person: Person, random: Random) -> Did:
    tab = person.tab
    if tab is None or not tab.views:
        return None
    room = random.choice(list(tab.views))
    text = f"line {random.randrange(1000)}"
    tab.ask(t="say", room=room, text=text)
    return f"{person.name} says {text!r} in room {room}."


async def _rename(world: World, person: Person, random: Random) -> Did:
    tab = person.tab
    if tab is None:
        return None
    name = f"{person.called} {random.randrange(100)}"
    person.rename(name, tab)
    return f"{person.name} goes by {name}."


async def _lobby(world: World, person: Person, random: Random) -> Did:
    tab = person.tab
    if tab is None:
        return None
    on = random.random() < 0.7
    tab.lobby = NO_LOBBY if on else None
    tab.ask(t="lobby", on=on)
    return f"{person.name} {'opens' if on else 'closes'} the lobby."


async def _ping(world: World, person: Person, random: Random) -> Did:
    tab = person.tab
    if tab is None:
        return None
    tab.ask(t="ping", ts=1)
    return f"{person.name} pings."


async def _review(world: World, person: Person, random: Random) -> Did:
    tab = person.tab
    games = [view.game_id for view in tab.views.values() if view.result and view.game_id] if tab is not None else []
    if tab is None or not games:
        return None
    game = random.choice(games)
    tab.ask(t="review", game=game)
    return f"{person.name} has game {game} reviewed."


async def _read(world: World, person: Person, random: Random) -> Did:
    pages = ("/api/games", "/api/games", "/api/stats", "/api/players/me", "/healthz", "/readyz")
    players = [f"/api/players/{other.id}" for other in world.people if other.id is not None]
    games = [f"/api/games/{id}" for id in list(world.games)[-6:]]
    path = random.choice(random.choice([kind for kind in (pages, players, games, games) if kind]))
    read = Read(person, path, as_anybody=random.random() < 0.3)
    world.loop.create_task(world.read(read, world.line(random)))
    return f"{person.name} reads {path}{' as anybody' if read.token is None else ''}."


# How they come and go


async def _second_tab(world: World, person: Person, random: Random) -> Did:
    if person.token is None or not 0 < len(person.tabs) < 3:
        return None
    world.loop.create_task(person.connect())
    return f"{person.name} opens another tab."


async def _close_tab(world: World, person: Person, random: Random) -> Did:
    if len(person.tabs) < 2:
        return None
    random.choice(person.tabs).hang_up()
    return f"{person.name} closes a tab."


async def _reload(world: World, person: Person, random: Random) -> Did:
    if not person.tabs:
        return None
    tab = random.choice(person.tabs)
    person.rooms.clear()
    tab.transport.abort()
    return f"{person.name} reloads the page."


async def _go(world: World, person: Person, random: Random) -> Did:
    if not person.tabs:
        return None
    person.away = True
    for tab in list(person.tabs):
        tab.hang_up()
    away_s = random.choice((5, 30, 70, 200, 700))
    world.loop.call_later(away_s, person.arrive)
    return f"{person.name} goes away for {away_s} s."


async def _forget(world: World, person: Person, random: Random) -> Did:
    tab = person.tab
    if tab is None:
        return None
    running = [view for view in tab.views.values() if view.you is not None and view.running]
    ends_games = random.random() < 0.7  # whoever plays is refused
    for view in running if ends_games else ():
        tab.ask(t="act", room=view.room, game=view.serial, action="resign")
    others = [other for other in person.tabs if other.usable and other is not tab]
    person.forget()
    if others and random.random() < 0.5:
        person.rename(f"{person.called} {random.randrange(100)}", others[0])
    return f"{person.name} asks to be forgotten{' and resigns' if running and ends_games else ''}."


# What happens to lines


async def _cut(world: World, person: Person, random: Random) -> Did:
    if not person.tabs:
        return None
    random.choice(person.tabs).transport.cut()
    return f"A line of {person.name} is cut."


async def _vanish(world: World, person: Person, random: Random) -> Did:
    if not person.tabs:
        return None
    tab = random.choice(person.tabs)
    after_s = random.choice((1, 20, 90, 300))
    tab.transport.peer.vanish(after_s)
    return f"Nothing gets through on a line of {person.name}, who notices after {after_s} s."


async def _read_slowly(world: World, person: Person, random: Random) -> Did:
    if not person.tabs:
        return None
    tab = random.choice(person.tabs)
    tab.transport.pause_reading()
    after_s = random.choice((1, 5, 15))
    world.loop.call_later(after_s, tab.transport.resume_reading)
    return f"{person.name} reads nothing for {after_s} s."


# What happens to the server


async def _kill(world: World, person: Person, random: Random) -> Did:
    callbacks = random.choice((0, 1, 3, 10, 40, 200))
    world.tell(f"The server is killed after {callbacks} more callbacks.")
    await world.kill(callbacks)
    return "The server is back."


async def _power_cut(world: World, person: Person, random: Random) -> Did:
    world.tell("The power fails.")
    await world.kill(random.choice((0, 5, 50)), power=True)
    return "The server is back."


async def _restart(world: World, person: Person, random: Random) -> Did:
    world.tell("The server is stopped.")
    await world.stop()
    await world.start()
    return "The server is started again."


async def _wall_jumps(world: World, person: Person, random: Random) -> Did:
    """By seconds, as it is corrected, or by days, as it is wrong; it stays so over a restart."""
    by_s = random.choice((1, 7, 60, 3_600, 86_400, 4 * 86_400)) * random.choice((-1, 1))
    world.wall.wrong_ms += by_s * 1000
    return f"The clock on the wall jumps by {by_s} s."


async def _full_disk(world: World, person: Person, random: Random) -> Did:
    seconds = random.choice((0.2, 3, 40))
    world.disk_is_full(True)
    world.loop.call_later(seconds, world.disk_is_full, False)
    return f"The disk is full for {seconds} s."


async def _locked_disk(world: World, person: Person, random: Random) -> Did:
    seconds = random.choice((0.2, 3, 40))
    world.disk_is_locked(True)
    world.loop.call_later(seconds, world.disk_is_locked, False)
    return f"Another program locks the database for {seconds} s."


async def _bad_disk(world: World, person: Person, random: Random) -> Did:
    operation, nth = random.choice(get_args(Operation)), random.randint(1, 5)
    world.disk_fails_once(operation, nth)
    world.loop.call_later(30, world.mend_disk)
    return f"The disk's {operation} number {nth} from now on fails."


async def _bad_workers(world: World, person: Person, random: Random) -> Did:
    world.temper.worst = random.choice((0.0, 0.1, 0.5))
    return f"Of {world.temper.worst:.0%} of all searches something goes wrong from now on."


_ACTS: dict[str, tuple[float, Callable[[World, Person, Random], Awaitable[Did]]]] = {
    "arrive": (4, _arrive), "create": (20, _create), "join": (26, _join), "watch": (5, _watch), "leave": (2, _leave),
    "resign": (2, _action("resign")), "abort": (1, _action("abort")), "claim": (3, _action("claim_win")),
    "offer": (6, _action("offer_draw", "offer_takeback")),
    "answer": (3, _action("accept_draw", "decline_draw", "accept_takeback", "decline_takeback", "decline_rematch",
                           "decline_challenge")),
    "rematch": (6, _rematch), "wrong move": (3, _wrong_move), "same move": (2, _same_move_again), "say": (5, _say),
    "rename": (2, _rename), "lobby": (2, _lobby), "ping": (1, _ping), "review": (1, _review),
    "read": (5, _read),
    "second tab": (2, _second_tab), "close tab": (2, _close_tab), "reload": (3, _reload), "go": (4, _go),
    "forget": (1.5, _forget),
    "cut": (3, _cut), "vanish": (1.5, _vanish), "read slowly": (1.5, _read_slowly),
    "kill": (1.6, _kill), "power cut": (0.5, _power_cut), "restart": (0.7, _restart), "full disk": (0.5, _full_disk),
    "wall jumps": (1.5, _wall_jumps), "locked disk": (0.3, _locked_disk), "bad disk": (0.6, _bad_disk),
    "bad workers": (1, _bad_workers),
}  # fmt: skip
"""With how often each comes."""
