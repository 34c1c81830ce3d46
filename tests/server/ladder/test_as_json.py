"""A ladder as JSON."""

from __future__ import annotations

import msgspec

from server.ladder.as_json import standing
from server.ladder.config import parse
from server.ladder.run import RunningList
from server.ladder.schedule import PairScore

[LIST] = parse(
    'name = "night"\n[[lists]]\ngame = "tictactoe"\nbots = ["random", "level:1", "level:3"]\nlimit = "nodes=9"\n'
).lists


def test_a_list_with_its_standings() -> None:
    one = RunningList(LIST, {0: PairScore(1.0, 1.0)})
    one.rate(0.0, 50)
    told = msgspec.to_builtins(standing(one))
    assert (told["run"], told["list"], told["game"]) == (LIST.run_id, "tictactoe", "tictactoe")
    assert (told["games"], told["complete"]) == (2, None)
    assert one.standings is not None
    assert told["advantage"] == one.standings.fitted.advantage
    first, second, last = told["standings"]
    assert [first["place"], second["place"], last["place"]] == [1, 2, None]
    assert first["low"] < first["rating"] < first["high"]
    assert (first["superiority"] > 0.5, second["superiority"]) == (True, None)
    assert {name: value for name, value in last.items() if name not in ("bot", "version")} == {
        "place": None, "rating": None, "low": None, "high": None, "superiority": None, "retired": False,
        "left": False,
    }  # fmt: skip
    assert {row["bot"] for row in told["standings"]} == {"random", "level:1", "level:3"}


def test_a_list_without_games() -> None:
    told = msgspec.to_builtins(standing(RunningList(LIST, {})))
    assert (told["games"], told["standings"], told["advantage"], told["drawing"]) == (0, [], None, None)
