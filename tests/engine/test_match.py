import pytest
from engine_games import GAME_IDS

from engine.match import play_game
from engine.player import Limit
from engine.position import IllegalMove
from engine.record import from_text, to_text
from engine.roster import bot
from engine.rules.registry import rules


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_a_game_is_played_to_its_end_and_recorded(game_id: str) -> None:
    limits = {"x": Limit(nodes=300), "o": Limit(depth=1)}
    record = play_game(bot("alphabeta"), bot("random"), rules(game_id), limits, seed=2)  # type: ignore[arg-type]
    assert record.final_position().outcome is not None
    assert (record.x.name, record.o.name) == ("alphabeta:2", "random")
    assert all(move.nodes is None or move.nodes <= 300 for move in record.moves)
    assert from_text(to_text(record)) == record


def test_the_seed_makes_the_game() -> None:
    game = rules("qubic")
    one, two, three = (play_game(bot("alphabeta:2"), bot("random"), game, seed=seed) for seed in (1, 1, 2))
    assert one == two
    assert one.cells() != three.cells()


def test_a_game_goes_on_from_its_start() -> None:
    record = play_game(bot("random"), bot("random"), rules("ultimate"), start=(40, 36))
    assert record.start == (40, 36)
    assert record.cells()[:2] == (40, 36)
    with pytest.raises(IllegalMove):
        play_game(bot("random"), bot("random"), rules("ultimate"), start=(40, 40))


def test_looking_ahead_beats_random_moves() -> None:
    won = 0
    for seed in range(10):
        record = play_game(bot("alphabeta:2"), bot("random"), rules("qubic"), seed=seed)
        won += record.winner == "x"
        record = play_game(bot("random"), bot("alphabeta:2"), rules("qubic"), seed=seed)
        won += record.winner == "o"
    assert won == 20
