"""Rows as the store answers them."""

from __future__ import annotations

from msgspec.structs import replace

from server.db.ladder import BotRow, EntryRow, ListRow, LiveRow, MeetingRow, OpeningRow, PlayedRow, StandingRow, TimeRow
from server.db.play import GameRow, MoveRow, RatingPoint, RatingRow
from server.db.stats import (
    DayRow,
    FaultRow,
    ForfeitRow,
    LengthRow,
    MoverRow,
    PaceRow,
    PlyRow,
    ResultRow,
    SeatedRow,
    SlowRow,
)
from server.http.answers.ladders import ListPageAnswer, LiveAnswer, list_answer, list_page_answer, live_game
from server.http.answers.players import PlayerAnswer, player_answer
from server.http.answers.stats import stats_answer

GAME = GameRow(
    id=17,
    room="r1",
    serial=1,
    source="room",
    game="tictactoe",
    x_player=1,
    x_name="Ann",
    x_kind="person",
    x_version=None,
    o_player=9,
    o_name="random",
    o_kind="bot",
    o_version=1,
    initial_ms=60_000,
    increment_ms=0,
    move_ms=None,
    x_limit=None,
    o_limit='{"depth":2}',
    start='["a1"]',
    rated=0,
    private=0,
    seed=7,
    run_id=None,
    pair_id=None,
    opening_id=None,
    machine="here",
    software="noughts 0",
    started_ms=1_700_000_000_000,
    ended_ms=1_700_000_060_000,
    winner="o",
    termination="resignation",
    plies=1,
)
MOVE = MoveRow(
    ply=0,
    cell=1,
    at_ms=1_700_000_000_500,
    think_ms=500,
    think_us=500_250,
    wait_ms=0,
    x_ms=60_000,
    o_ms=59_500,
    nodes=10,
    depth=2,
    value=0.5,
    win_in=None,
    pruned=3,
)
RUNNING_GAME = replace(GAME, ended_ms=None, winner=None, termination=None, plies=None, initial_ms=None)

RUN = "night/small/0123456789ab"
LIST = ListRow(RUN, "night", "small", "tictactoe", '{"limit": {"nodes": 2000}}', 1_700_000_000_000, 5, 31.5, 0.4, 4, 7)
UNRATED_LIST = ListRow(
    RUN, "night", "small", "tictactoe", '{"limit": null}', 1_700_000_000_000, None, None, None, 0, None
)
BOT = BotRow(9, "random", "bot", 1_700_000_000_000, "random", 1, 1)
OTHER_BOT = BotRow(8, "strongest", "bot", 1_700_000_000_000, "strongest", 1, 2)
PERSON = BotRow(1, "Ann", "person", 1_700_000_000_000, None, None, 0)
LISTS = [list_answer(LIST, True), list_answer(UNRATED_LIST, False)]


def list_page(rated: bool = True) -> ListPageAnswer:
    standings = [StandingRow(8, 1, 90.5, 40.0, 120.0, 0.9, 0), StandingRow(9, 2, -90.5, -120.0, -40.0, None, 1)]
    meetings = [MeetingRow(8, 9, 2, 2, 0, 0, 0, 1, 2), MeetingRow(9, 8, 2, 0, 1, 1, 0, 0, 0)]
    openings = [OpeningRow("a1 b2", 4)]
    return list_page_answer(LIST, False, standings if rated else [], meetings, openings, [BOT, OTHER_BOT])


LIVE_GAME = live_game(
    LiveRow("night", RUN, "tictactoe", 8, "strongest", "bot", 9, "random", "bot", '["a1"]', '["b2"]', 5, 6)
)
LIVE = [LiveAnswer(live=LIVE_GAME), LiveAnswer(live=None)]


def player(bot: bool = True) -> PlayerAnswer:
    rating = RatingRow("tictactoe", 1520.5, 90.0, 3, 1_700_000_000_000)
    return player_answer(
        BOT if bot else PERSON,
        [(rating, [RatingPoint(17, 1_700_000_000_000, 1520.5, 90.0)])],
        [EntryRow(RUN, "night", "small", "tictactoe", 5, 2, 2, -90.5, -120.0, -40.0, 1)] if bot else [],
        [PlayedRow(RUN, 2, 0.5), PlayedRow(RUN, 2, 0.0)],
        [TimeRow("tictactoe", 3, 9, 40, 80)],
    )


STATS = stats_answer(
    1_700_000_000_000,
    [
        ResultRow("qubic", "x", "line", 2),
        ResultRow("qubic", None, "board_full", 1),
        ResultRow("nine-board", "o", "flag", 1),
    ],
    [LengthRow("qubic", 30, 2), LengthRow("qubic", 64, 1), LengthRow("nine-board", 20, 1)],
    {"qubic": [PlyRow("bot", 1, 3, 10, 5, 20)], "nine-board": []},
    [DayRow(1_700_006_400_000, 3), DayRow(1_699_920_000_000, 1)],
    [SeatedRow("bot", 3)],
    [PaceRow("bot", 60, 10, 40)],
    [
        MoverRow(9, "random", 4, 60, 10, 40, 90, 3000, 3000, 1_500_000),
        MoverRow(8, "level:1", 4, 60, 10, 40, 90, 0, 0, 0),
    ],
    [SlowRow(17, 3, 9, "random", 90)],
    [ForfeitRow(9, "random", "flag", 1)],
    [FaultRow(17, "nine-board", 9, "random", "flag", "It ran out of time.")],
)
NO_STATS = stats_answer(1_700_000_000_000, [], [], {}, [], [], [], [], [], [], [])
