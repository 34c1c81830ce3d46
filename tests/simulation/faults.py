"""Faults put into the server on purpose, to see that the simulation finds them: each is a line of source that is read
differently when its module is imported."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import NamedTuple


class Fault(NamedTuple):
    """`old` is found in the module once, and `new` is read in its place."""

    breaks: str
    module: str
    old: str
    new: str


FAULTS: dict[str, Fault] = {
    "acknowledged-before-commit": Fault(
        "Writes are acknowledged when they are queued.",
        "server.db.writer",
        "        self._queue.append(_WriteSet(done, writes, time.perf_counter()))\n",
        "        self._queue.append(_WriteSet(done, writes, time.perf_counter()))\n        done.set_result(None)\n",
    ),
    "acknowledged-without-disk": Fault(
        "A commit that a full disk refuses is acknowledged.",
        "server.db.writer",
        "                self._answer(sets, StoreUnavailable(str(self._lost)))\n            elif",
        "                self._answer(sets)\n            elif",
    ),
    "not-synced": Fault(
        "The log is not synced with each commit.", "server.db.connect", '"synchronous = FULL"', '"synchronous = NORMAL"'
    ),
    "lost-of-a-batch": Fault(
        "Of write sets committed together only the first is written.",
        "server.db.writer",
        "    for _, writes, _ in sets:\n",
        "    for _, writes, _ in sets[:1]:\n",
    ),
    "id-twice": Fault(
        "An id is given out twice.",
        "server.db.writer",
        "self._blocks[kind] = block[1:]",
        "self._blocks[kind] = block if len(block) == 97 else block[1:]",
    ),
    "lost-timer": Fault(
        "A room that waits for a deadline misses an earlier one.",
        "server.rooms.room.room",
        "if deadline_ms is None or (self._timer_ms is not None and self._timer_ms <= deadline_ms):",
        "if deadline_ms is None or self._timer_ms is not None:",
    ),
    "not-woken": Fault(
        "An idle room is not woken by the first input that arrives.",
        "server.rooms.room.mailbox",
        "if begin and self.filled is not None and not self.filled.done():",
        "if begin and self.filled is not None and not self.filled.done() and len(self.mails) > 1:",
    ),
    "clock-wrong-on-resume": Fault(
        "After a restart a side is charged for the time the server waited for its return.",
        "server.play.session",
        "        self._clock_resumes_ms = None\n        self._let_time_pass(now_ms)\n        return self._show_clock()",
        "        self._clock_resumes_ms = None\n        self._let_time_pass(now_ms - RESTART_GRACE_MS)\n"
        "        return self._show_clock()",
    ),
    "time-lost-in-a-pause": Fault(
        "The time a turn had taken before an outage is forgotten.",
        "server.play.clock",
        "self.spent_ms = self.elapsed_ms(now_ms)",
        "self.spent_ms = 0",
    ),
    "clock-not-taken-back": Fault(
        "A takeback leaves the clocks as they are.",
        "server.play.room_state",
        "                self._set_clock(event.clock)\n                self.clock.turn(event.to_move, None)",
        "                self.clock.turn(event.to_move, None)",
    ),
    "flag-too-early": Fault(
        "A flag falls with a tenth of the time left.",
        "server.play.clock",
        'return self.since_ms + max(0, (self.x_ms if self.running == "x" else self.o_ms) - self.spent_ms)',
        'return self.since_ms + max(0, (self.x_ms if self.running == "x" else self.o_ms) * 9 // 10 - self.spent_ms)',
    ),
    "flag-never": Fault(
        "No flag falls.",
        "server.play.session",
        "return self.game.running and self._held is None and not self.is_bot(self.clock.running)",
        "return False",
    ),
    "increment-for-x": Fault(
        "O gets no increment.",
        "server.play.clock",
        "- spent_ms) + (settings.increment_ms or 0)",
        '- spent_ms) + (settings.increment_ms or 0) * (side == "x")',
    ),
    "searched-twice": Fault(
        "A searching bot begins another search whenever something happens.",
        "server.play.session",
        "        if self._search is not None or self._held is not None:\n            return effects\n",
        "        if self._held is not None:\n            return effects\n",
    ),
    "search-without-limit": Fault(
        "A worker that hangs is waited for.",
        "server.workers.pool",
        "        worker.child.limit(bound_ms / 1000, patient=not search.job.by_engine)\n",
        "",
    ),
    "worker-not-idle": Fault(
        "A second worker is not used again after its first search.",
        "server.workers.worker_processes",
        "        self._idle.append(worker)\n        worker.leaving =",
        "        if not self._idle:\n            self._idle.append(worker)\n        worker.leaving =",
    ),
    "worker-twice": Fault(
        "A worker that answers twice is not noticed.",
        "server.workers.worker_processes",
        "        elif isinstance(message, Answered) and worker.answers(message.number):\n",
        "        elif isinstance(message, Answered):\n",
    ),
    "rated-twice": Fault(
        "A game moves its ratings twice.",
        "server.play.history",
        "    new_x, new_o = after_game(x, o, rated.x_points, ts)\n",
        "    new_x, new_o = after_game(*after_game(x, o, rated.x_points, ts), rated.x_points, ts)\n",
    ),
    "rated-too-short": Fault(
        "Games too short to be rated are rated.",
        "server.play.session",
        "if len(self.game.cells) < RATED_PLIES or self.game.id is None",
        "if self.game.id is None",
    ),
    "plies-miscounted": Fault(
        "A game's row does not count the move that ended it.",
        "server.play.history",
        "plies = len(session.game.cells) + sum(type(entry.event) is Moved for entry in entries)",
        "plies = len(session.game.cells)",
    ),
    "takeback-kept": Fault(
        "Moves that were taken back stay in the table of moves.",
        "server.play.history",
        "                writes.append((Statement.DELETE_TAKEN_BACK, (game_id, event.ply)))\n",
        "",
    ),
    "numbers-skipped": Fault(
        "The events of a room are numbered with a gap.",
        "server.play.session",
        "        first = self.seq + 1\n",
        "        first = self.seq + 1 + (len(events) > 2)\n",
    ),
    "offers-outlive-moves": Fault(
        "An offer stands after a move.",
        "server.play.room_state",
        "            game.lapse_offers(event.by, other(event.by))\n",
        "            pass\n",
    ),
    "chat-not-restored": Fault(
        "Chat is lost in a restart.",
        "server.play.history",
        "        session.restore(seq, ts, decode_stored(body))\n",
        "        session.restore(seq, ts, decode_stored(body))\n    session.chat.clear()\n",
    ),
    "token-not-kept": Fault(
        "The token stored is not the one the player was given.",
        "server.rooms.connection",
        "identity.add(name, kind, token_hash(token))",
        "identity.add(name, kind, token_hash(token[1:]))",
    ),
    "name-not-kept": Fault(
        "A new name is not written.",
        "server.rooms.players.players",
        "        await self._store.write([(Statement.RENAME_PLAYER, (name, int(player.id)))])\n",
        "",
    ),
    "replay-one-short": Fault(
        "A player who resumes is not sent the first missed event.",
        "server.rooms.room.output",
        "for number, payload in self._recent if number > seq]",
        "for number, payload in self._recent if number > seq + 1]",
    ),
    "last-event-not-kept": Fault(
        "After a restart the last event of a room is not replayed.",
        "server.rooms.room.load",
        "for event in last]",
        "for event in [*last][:-1]]",
    ),
    "third-not-told": Fault(
        "Only two of a room's followers are sent its events.",
        "server.rooms.room.output",
        "        for member in self.followers:\n            self.send_queue.put(member, legal_frame",
        "        for member in list(self.followers)[:2]:\n            self.send_queue.put(member, legal_frame",
    ),
    "return-not-told": Fault(
        "A player who resumes is not told who came back.",
        "server.rooms.room.output",
        "seat.bot is None and seat.id != member.player.id:",
        "seat.bot is None and not followers.is_present(seat.id):",
    ),
    "follower-not-removed": Fault(
        "A connection that is gone still follows one of its rooms.",
        "server.rooms.lobby.lobby",
        "for followed in member.following)",
        "for followed in list(member.following)[1:])",
    ),
    "connection-still-counted": Fault(
        "A connection that was reset is still counted for its address.",
        "server.http.connections.socket",
        "        self._context.gate.leave(self.counted)\n",
        "        if exc is None:\n            self._context.gate.leave(self.counted)\n",
    ),
    "still-pinged": Fault(
        "A connection that is gone is still pinged.",
        "server.http.connections.websocket",
        "        self._context.keepalive.discard(self)\n",
        "",
    ),
    "store-not-back": Fault(
        "Rooms are not told that the database works again.",
        "server.app",
        "        self._lobby.on_store_available(available)\n",
        "        if not available:\n            self._lobby.on_store_available(available)\n",
    ),
    "abort-at-any-time": Fault(
        "A game may be aborted after its second move.",
        "server.play.requests",
        "        if len(game.cells) >= 2:\n",
        "        if len(game.cells) >= 200:\n",
    ),
    "draw-without-offer": Fault(
        "A draw that nobody offered may be accepted.",
        "server.play.requests",
        "    if (offerer, what) not in room.game.offers:\n",
        '    if (offerer, what) not in room.game.offers and what != "draw":\n',
    ),
    "moves-out-of-turn": Fault(
        "A player may move for the other side.",
        "server.play.requests",
        "    if to_move not in held:\n",
        "    if to_move not in held and not held:\n",
    ),
    "move-not-repeatable": Fault(
        "A move that is sent again is refused.",
        "server.play.requests",
        "    if move.ply < played and move.move == game.texts[move.ply] and game.side_at(move.ply) in held:\n",
        "    if False:\n",
    ),
    "sleep-is-death": Fault(
        "A room that falls asleep is closed.",
        "server.db.statements",
        '"UPDATE rooms SET slept_ms = ? WHERE number = ?"',
        '"UPDATE rooms SET closed_ms = ? WHERE number = ?"',
    ),
    "time-by-the-wall": Fault(
        "Games use the wall clock.",
        "server.app",
        "        self._clock = machine.clock\n",
        "        self._clock = clock = machine.clock\n        begun_ms = clock.unix_ms() - clock.now_ms()\n"
        "        clock.now_ms = lambda: clock.unix_ms() - begun_ms\n",
    ),
    "private-game-shown": Fault(
        "A private game is shown to anybody who has its id.",
        "server.db.play",
        "        return not self.private or viewer in (self.x_player, self.o_player)\n",
        "        return True\n",
    ),
    "private-game-listed": Fault(
        "Private games are listed to all.",
        "server.db.play",
        '"(private = 0 OR x_player = :viewer OR o_player = :viewer)"',
        '"(private = 0 OR :viewer IS NOT 0)"',
    ),
    "record-one-short": Fault(
        "The record of a game leaves out its last move.",
        "server.http.endpoints.games",
        "else list(moves)\n",
        "else list(moves[:-1])\n",
    ),
    "token-outlives-its-player": Fault(
        "A deletion leaves the token, and so the names.",
        "server.db.statements",
        '"UPDATE players SET name = ?, token_hash = NULL WHERE id = ?"',
        '"UPDATE players SET name = ? WHERE id = ?"',
    ),
    "name-left-at-the-table": Fault(
        "A deletion leaves the names in which the player took seats.",
        "server.db.deleted_players",
        "json_extract(e.body, '$.seat.name') != p.name OR",
        "FALSE OR",
    ),
    "deleted-still-connected": Fault(
        "A deleted player's connections stay open.",
        "server.rooms.connection",
        '        self._context.lobby.end_connections(player, "this player is deleted")\n',
        "",
    ),
    "deleted-still-shown": Fault(
        "Rooms go on showing a deleted player.",
        "server.rooms.players.deletion",
        "        await lobby.on_player_deleted(anonymous(one), DELETED_TEXT)\n",
        "        pass\n",
    ),
    "deleted-rating-back": Fault(
        "A deleted player's rating is back after a restart.",
        "server.rooms.room.load",
        "        session.remove_player(left, DELETED_TEXT)",
        "        pass",
    ),
}
"""By name."""


class UnknownSource(Exception):
    """A fault does not fit the source any more."""


def put(fault: Fault) -> None:
    """Into the module, which must not be imported yet."""
    assert fault.module not in sys.modules, f"{fault.module} is imported already"
    sys.meta_path.insert(0, _Finder(fault))


class _Finder(MetaPathFinder):
    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._fault.module:
            return None
        spec = PathFinder.find_spec(fullname, path)
        assert spec is not None
        assert spec.origin is not None
        spec.loader = _Loader(fullname, spec.origin, self._fault)
        return spec


class _Loader(SourceFileLoader):
    def __init__(self, fullname: str, path: str, fault: Fault) -> None:
        super().__init__(fullname, path)
        self._fault = fault

    def get_code(self, fullname: str) -> CodeType:
        source = self.get_data(self.path).decode()
        return compile(changed(source, self._fault), self.path, "exec")


def changed(source: str, fault: Fault) -> str:
    """The source with the fault. Raises UnknownSource."""
    if source.count(fault.old) != 1:
        raise UnknownSource(f"{fault.module} has {source.count(fault.old)} places like {fault.old!r}, not one.")
    return source.replace(fault.old, fault.new)
