"""Small boards of running games, in the lobby."""

from __future__ import annotations

import pytest
from msgspec import structs
from textual.widgets import OptionList

from client.terminal.drawing.boards import Look
from client.terminal.drawing.thumbnail import thumbnail
from client.terminal.words import lobby as lobby_words
from engine.rules.registry import games, rules
from server.wire import RunningRoom
from tests.support.terminal.fake_server import FakeServer
from tests.support.terminal.lobby import FULL, RUNNING
from tests.support.terminal.screen import SMALL, WIDE, screen

TICTACTOE = structs.replace(RUNNING, plies=3, board="x...o...x", last="c3")


def drawn(game: str, board: str, owners: str | None = None, look: Look = Look()) -> list[str]:  # noqa: B008
    return str(thumbnail(rules(game), board, owners, None, look)).splitlines()


def test_flat_boards_have_rank_1_at_the_bottom() -> None:
    assert drawn("tictactoe", "x...o..xx") == ["· X X", "· O ·", "X · ·"]
    assert drawn("tictactoe", "x...o..xx", look=Look(("@", "##"), ascii=True)) == [
        ".  @  @", ".  ## .", "@  .  .",
    ]  # fmt: skip


def test_levels_of_a_cube_stand_beside_each_other() -> None:
    assert drawn("cube:3", "x" + "." * 25 + "o")[0] == "· · ·   · · ·   · · O"
    assert drawn("cube:3", "x" + "." * 25 + "o")[2] == "X · ·   · · ·   · · ·"


def test_a_board_that_was_won_shows_its_owner_alone() -> None:
    told = drawn("ultimate", "xxxoo...." + "." * 72, "x........")
    assert told[:3] == ["        · · ·   · · ·", "  X     · · ·   · · ·", "        · · ·   · · ·"]
    assert len(told) == 11


def test_the_last_move_has_a_role_of_its_own() -> None:
    picture = lobby_words.board_of(TICTACTOE, Look())
    assert [role for line in picture.lines for piece, role in line if piece == "X"] == ["last", "x"]


@pytest.mark.parametrize("game", [game.id for game in games()])
def test_every_game_has_a_small_board(game: str) -> None:
    cells = rules(game).cells
    board = thumbnail(rules(game), "." * cells, None, None, Look())
    assert str(board).count("·") == cells
    assert board.width <= 57


@pytest.mark.parametrize(
    "room",
    [
        RUNNING,
        structs.replace(TICTACTOE, board="x"),
        structs.replace(TICTACTOE, game="newer:9"),
        structs.replace(TICTACTOE, last="z99"),
    ],
)
def test_boards_that_are_not_told_or_not_known(room: RunningRoom) -> None:
    assert not lobby_words.board_of(room, Look()).lines


def watched(server: FakeServer) -> None:
    server.lobby = structs.replace(
        FULL, rooms=[TICTACTOE, structs.replace(TICTACTOE, room="r8", game="gomoku", board="." * 225)]
    )


@pytest.mark.parametrize("size", [WIDE, SMALL])
async def test_running_games_are_shown_as_far_as_there_is_room(size: tuple[int, int]) -> None:
    async with screen(menu=True, size=size, before=watched) as seen:
        lobby = seen.app.screen.query_one("#lobby", OptionList)
        await seen.settles(lambda: any("\n  · · X\n  · O ·\n  X · ·" in str(option.prompt) for option in lobby.options))
        gomoku = next(str(option.prompt) for option in lobby.options if "Gomoku" in str(option.prompt))
        assert "\n" not in gomoku
        await seen.server.send(structs.replace(FULL, rooms=[structs.replace(TICTACTOE, board="xo..o...x", plies=4)]))
        await seen.settles(lambda: any("X O ·" in str(option.prompt) for option in lobby.options))
