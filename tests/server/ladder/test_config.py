"""A ladder's configuration: what it says, what is wrong with it, and which changes make another list."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bots.adjudication import Adjudication
from engine.bots.player import NO_LIMIT, Limit
from engine.bots.roster import Roster, bot, bots
from engine.rules.position import O, X, other, play_all
from engine.rules.registry import rules
from server.ladder import config, schedule
from server.ladder.config import MAX_BOTS, MAX_LISTS, BotList, Ladder, parse
from server.typed_toml import TomlError
from server.workers.engines.engine import Engine
from tests.support.ladder import faulty

OVERNIGHT = Path(__file__).parents[3] / "ladders" / "overnight.toml"
HEAD = 'name = "night"\n'
LIST = '[[lists]]\ngame = "tictactoe"\nbots = ["random", "level:1"]\n'
HUGE = "0x" + "f" * 5000


def parsed(text: str) -> BotList:
    [only] = parse(HEAD + text).lists
    return only


def test_what_is_left_out_has_a_default() -> None:
    assert parse(HEAD + LIST) == config.Ladder(
        "night",
        (
            BotList(
                ladder="night",
                name="tictactoe",
                seed=0,
                game="tictactoe",
                limit=NO_LIMIT,
                bots=(bot("random"), bot("level:1")),
                pairs=2,
                opening_plies=2,
                repeat_openings=False,
                overrun_ms=200,
                stall_ms=60_000,
            ),
        ),
    )


def test_everything_can_be_said() -> None:
    text = """
        seed = -3
        [[lists]]
        name = "3x3, fast"
        game = "mnk:3,3,3"
        limit = "move_ms=50"
        bots = ["alphabeta", "faulty:crash"]
        pairs = 7
        opening_plies = 3
        repeat_openings = true
        overrun_ms = 0
        stall_ms = 1
    """.replace("3x3, fast", "3x3,fast")
    [only] = faulty.parse(HEAD + text).lists
    assert only == BotList(
        "night", "3x3,fast", -3, "tictactoe", Limit(move_ms=50), (bot("alphabeta:2"), faulty.bot("faulty:crash")),
        7, 3, True, 0, 1,
    )  # fmt: skip
    assert only.pairing == schedule.PairingPlan(2, 7, "-3/3x3,fast", None)


@pytest.mark.parametrize(
    ("text", "limit"),
    [("nodes=5", Limit(nodes=5)), ("depth=2", Limit(depth=2)), ("move_ms=1", Limit(move_ms=1))],
)
def test_limits(text: str, limit: Limit) -> None:
    assert parsed(f'{LIST}limit = "{text}"').limit == limit


def test_modes_and_ends() -> None:
    usual = parsed(LIST)
    assert usual.line_up() == schedule.LineUp(0, (0, 1), 2)
    gauntlet = parsed(f'{LIST}mode = "gauntlet"\nnew = ["level:1"]\nuntil_width = 40\nuntil_rounds = 9\n')
    assert gauntlet.line_up(3) == schedule.LineUp(3, (0, 1), 2, "gauntlet", (1,), None, 40.0, 9)
    test = parsed(f'{LIST}mode = "sprt"\nsprt = "-2.5,10"\n')
    assert test.line_up() == schedule.LineUp(0, (0, 1), 2, "sprt", (0,), (-2.5, 10.0))
    assert usual.run_id == gauntlet.run_id == test.run_id, "what games are for may change"
    assert faulty.parse('until = "07:00"\n' + HEAD + LIST.removeprefix(HEAD)).until == "07:00"


def with_openings(text: str, settings: str = "", game: str = "tictactoe") -> BotList:
    told = f'{HEAD}[[lists]]\ngame = "{game}"\nbots = ["random", "level:1"]\nopenings = "book.txt"\n{settings}'
    [only] = parse(told, {"book.txt": text}.__getitem__).lists
    return only


def test_openings_of_a_file() -> None:
    book = with_openings("# corners first\na1 b2\n\na1   # one move\nc3 a3 b1\n")
    assert book.openings == ((rules("tictactoe").parse_move("a1"), 4), (book.openings[1][0],), book.openings[2])
    assert [len(opening) for opening in book.openings] == [2, 1, 3]
    assert [book.opening(index) for index in range(4)] == [*book.openings, book.openings[0]]
    assert book.different_openings == book.pairing.openings == 3
    assert with_openings("a1", "repeat_openings = true\n").pairing.openings is None
    assert book.run_id == with_openings("a1 b2\na1\nc3 a3 b1").run_id, "comments are no settings"
    assert book.run_id == with_openings("\ufeffa1 b2\na1\nc3 a3 b1").run_id, "nor is a byte order mark"
    assert book.run_id != with_openings("a1 b2\na1").run_id
    assert book.run_id != parsed(LIST).run_id


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("# none\n", "book.txt has no openings: write one a line, its moves separated by spaces."),
        ("a1\nb2 k9", "book.txt, line 2: "),
        ("a1 a1", "book.txt, line 1: "),
        ("a1 a2 b1 b2 c1", "book.txt, line 1: the game is over after these moves; an opening leaves it running."),
        ("a1 b2\n\na1 b2", "book.txt, line 3 is the opening of line 1; write each opening once."),
    ],
)
def test_what_is_no_opening(text: str, sentence: str) -> None:
    with pytest.raises(TomlError, match=re.escape(f"List tictactoe: {sentence}")):
        with_openings(text)


def test_openings_are_drawn_or_read() -> None:
    with pytest.raises(TomlError, match="openings has the openings of a file, opening_plies draws some: set one"):
        with_openings("a1", "opening_plies = 3\n")


def test_adjudication_makes_another_list() -> None:
    ruled = parsed(f"{LIST}adjudicate_win = 4\nadjudicate_draw = 8\nadjudicate_plies = 60\n")
    assert ruled.adjudication == Adjudication(4, 8, 60)
    assert ruled.settings["adjudication"] == {"win": 4, "draw": 8, "plies": 60}
    assert ruled.run_id != parsed(LIST).run_id
    assert "adjudication" not in parsed(LIST).settings, "lists of earlier versions keep their names"


def test_two_spellings_of_a_game_are_one_list() -> None:
    one, other = parsed(LIST), parsed(LIST.replace("tictactoe", "mnk:3,3,3"))
    assert one == other


def listing(**settings: str) -> str:
    """One list with these settings, as TOML text each."""
    told = {"game": '"tictactoe"', "bots": '["random", "level:1"]'} | settings
    return HEAD + "[[lists]]\n" + "".join(f"{key} = {value}\n" for key, value in told.items())


NAMES = "1 to 40 letters, digits or the signs : , . _ -"
LISTS = f"1 to {MAX_LISTS} lists, each [[lists]] and below it game = ... and bots = [...]"
BOTS = f'2 to {MAX_BOTS} bots, as in ["strongest", "level:1"]'
LIMITS = '"move_ms=100", "nodes=1000" or "depth=3"'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name = ", "This is not valid TOML: Invalid value (at end of document)."),
        ("[[lists]\n", "This is not valid TOML: "),
        ("deep = " + "[" * 100_000, "A number is too long, or brackets are nested too deeply."),
        ("seed = " + "1" * 5000, "A number is too long, or brackets are nested too deeply."),
        ("", f"In the file, name is missing: it must be {NAMES}."),
        (LIST, f"In the file, name is missing: it must be {NAMES}."),
        ("name = 3", f"name must be {NAMES}, not '3'."),
        ('name = ""', f"name must be {NAMES}, not ''."),
        ('name = "../etc/passwd"', "not '../etc/passwd'."),
        ('name = "a/b"', "not 'a/b'."),
        ('name = "-a"', "not '-a'."),
        (f'name = "{"n" * 41}"', "not '" + "n" * 21 + "...'."),
        (f"name = {HUGE}", f"name must be {NAMES}, not a number of thousands of digits."),
        (HEAD, f"In the file, lists is missing: it must be {LISTS}."),
        (HEAD + "lists = []", f"lists must be {LISTS}, not a list of 0."),
        (HEAD + 'lists = "tictactoe"', f"lists must be {LISTS}, not 'tictactoe'."),
        (HEAD + "lists = [1]", "lists[0] must be a table, not '1'."),
        (HEAD + "nice = 1\n" + LIST,
         "In the file, there is no setting 'nice': write one of engines, lists, name, seed, until."),
        (HEAD + "seed = 1.5\n" + LIST,
         "seed must be a whole number from -9223372036854775807 to 9223372036854775807, not"),
        (HEAD + "seed = 9223372036854775808\n" + LIST, "not '9223372036854775808'."),
        (HEAD + f"seed = {HUGE}\n" + LIST, "not a number of thousands of digits."),
        (HEAD + "seed = true\n" + LIST, "not 'True'."),
        (HEAD + LIST * (MAX_LISTS + 1), f"lists must be {LISTS}, not a list of {MAX_LISTS + 1}."),
        (HEAD + LIST + LIST, "Two lists are called 'tictactoe': give each its own name with name = ..."),
        (HEAD + LIST + LIST.replace("tictactoe", "mnk:3,3,3"), "Two lists are called 'tictactoe'"),
        (HEAD + '[[lists]]\nbots = ["random", "level:1"]', "There is no game '': write one of tictactoe, "),
        (listing(game="[1]"), "lists[0].game must be the name of a game, as \"tictactoe\", not a list of 1."),
        (listing(game=HUGE), "as \"tictactoe\", not a number of thousands of digits."),
        (listing(game='"chess"'), "There is no game 'chess': write one of tictactoe, "),
        (listing(name='"a b"'), f"lists[0].name must be {NAMES}, not 'a b'."),
        (listing(nodes="5"),
         "In lists[0], there is no setting 'nodes' (did you mean mode?): write one of adjudicate_draw, "),
        (HEAD + '[[lists]]\ngame = "qubic"', f"In lists[0], bots is missing: it must be {BOTS}."),
        (listing(bots='"random"'), f"lists[0].bots must be {BOTS}, not 'random'."),
        (listing(bots="[1, 2]"), "lists[0].bots[0] must be text, not '1'."),
        (listing(bots="[]"), f"lists[0].bots must be {BOTS}, not a list of 0."),
        (listing(bots='["random"]'), f"lists[0].bots must be {BOTS}, not a list of 1."),
        (listing(bots=str(["random"] * 101)), f"lists[0].bots must be {BOTS}, not a list of 101."),
        (listing(bots='["random", "nobody"]'), "List tictactoe: There is no bot 'nobody': `noughts bots` lists them."),
        (listing(bots='["random", "alphabeta:99"]'), "1..20, not '99'"),
        (listing(bots='["random", "faulty:crash"]'), "There is no bot 'faulty:crash'"),
        (listing(bots='["alphabeta", "random", "alphabeta:2"]'), "names alphabeta:2 twice; name each bot once."),
        (listing(bots='["random", "pawar-ren"]'), "pawar-ren:2,last does not play tictactoe: it plays qubic."),
        (listing(limit="5"), f"lists[0].limit must be {LIMITS}, not '5'."),
        (listing(limit='"soon"'), f"lists[0].limit must be {LIMITS}, not 'soon'."),
        (listing(limit='"depth=0"'), f"lists[0].limit must be {LIMITS}, not 'depth=0'."),
        (listing(limit='"depth=²"'), f"lists[0].limit must be {LIMITS}, not 'depth=²'."),
        (listing(limit='"nodes=5,depth=3"'), f"lists[0].limit must be {LIMITS}, not 'nodes=5,depth=3'."),
        (listing(limit='["nodes=5", "depth=3"]'), f"lists[0].limit must be {LIMITS}, not a list of 2."),
        (listing(limit=HUGE), f"lists[0].limit must be {LIMITS}, not a number of thousands of digits."),
        (listing(mode='"swiss"'), 'lists[0].mode must be "round-robin", "gauntlet" or "sprt", not \'swiss\'.'),
        (listing(mode='"gauntlet"'), "List tictactoe: a gauntlet needs new = [...]: some of its bots, but not all,"),
        (listing(mode='"gauntlet"', new='["level:1", "random"]'), "a gauntlet needs new = [...]: some of its bots"),
        (listing(mode='"gauntlet"', new='["level:2"]'), "new names level:2, which is not among its bots; add it"),
        (listing(new='["level:1"]'), 'new is for a gauntlet only; leave it out, or set mode = "gauntlet".'),
        (listing(mode='"sprt"'), "an SPRT needs two bots and the Elo differences of its hypotheses, as"),
        (listing(sprt='"0,10"'), 'sprt is for a test only; leave it out, or set mode = "sprt".'),
        (listing(mode='"sprt"', sprt='"10,0"'), "The test needs two Elo differences from -2000 to 2000, the smaller"),
        (listing(mode='"sprt"', sprt='"5"'), 'lists[0].sprt must be two Elo differences, as in "0,10", not \'5\'.'),
        (listing(until_width="0"), "lists[0].until_width must be a width in Elo above 0, up to 10000, not '0'."),
        (listing(until_width="inf"), "lists[0].until_width must be a width in Elo above 0, up to 10000, not 'inf'."),
        (listing(until_rounds="0"), "lists[0].until_rounds must be a whole number from 1 to 1000000, not '0'."),
        (HEAD + 'until = "25:99"\n' + LIST, 'until must be a time, as "07:00" or "2026-11-22T07:00", not \'25:99\'.'),
        (HEAD + 'until = "2026-02-30T07:00"\n' + LIST,
         'until must be a time, as "07:00" or "2026-11-22T07:00", not \'2026-02-30T07:00\'.'),
        ('until = "7"\n' + LIST, 'until must be a time, as "07:00" or "2026-11-22T07:00", not \'7\'.'),
        (listing(adjudicate_win="1"), "lists[0].adjudicate_win must be a whole number from 2 to 1000, not '1'."),
        (listing(openings='"none.txt"'), "'none.txt' cannot be read here."),
        (listing(pairs="0"), "lists[0].pairs must be a whole number from 1 to 10000, not '0'."),
        (listing(pairs="10_001"), "lists[0].pairs must be a whole number from 1 to 10000, not '10001'."),
        (listing(pairs="2.0"), "lists[0].pairs must be a whole number from 1 to 10000, not '2.0'."),
        (listing(opening_plies="-1"), "lists[0].opening_plies must be a whole number from 0 to 20, not '-1'."),
        (listing(opening_plies="9"), "List tictactoe: No game of tictactoe is still running after 9 plies."),
        (listing(overrun_ms="-1"), "lists[0].overrun_ms must be a whole number from 0 to 3600000, not '-1'."),
        (listing(stall_ms="0"), "lists[0].stall_ms must be a whole number from 1 to 3600000, not '0'."),
        (listing(repeat_openings='"yes"'), "lists[0].repeat_openings must be true or false, not 'yes'."),
        (listing(repeat_openings="1"), "lists[0].repeat_openings must be true or false, not '1'."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(TomlError, match=re.escape(sentence)) as raised:
        parse(text)
    said = str(raised.value)
    assert said.endswith(".")
    assert "\n" not in said


def test_a_limit_that_a_bot_cannot_take() -> None:
    bots = '["random", "osipa-tree"]'
    assert parse(listing(bots=bots, limit='"move_ms=100"'))
    for limit in ("nodes=100", "depth=3"):
        with pytest.raises(TomlError, match=r"^List tictactoe: osipa-tree .* it takes a limit of time, not of nodes"):
            parse(listing(bots=bots, limit=f'"{limit}"'))


@given(st.text(max_size=40) | st.binary(max_size=40).map(lambda data: data.decode("latin-1")))
def test_nothing_but_its_error_escapes(text: str) -> None:
    for whole in (text, HEAD + LIST + text, listing(limit=text), HEAD + "[[lists]]\n" + text):
        try:
            parse(whole)
        except TomlError as error:
            assert "\n" not in str(error)  # noqa: PT017


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["name", "game", "limit", "bots", "pairs", "seed", "stall_ms"]), values))
def test_values_of_any_kind(data: dict[str, Any]) -> None:
    """As TOML would have them, so that nothing hides behind its syntax."""
    base = {"game": "tictactoe", "bots": ["random", "level:1"]}
    whole = {"name": "night", "lists": [base | data]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tomllib, "loads", lambda _: whole)
        try:
            parse("")
        except TomlError as error:
            assert "\n" not in str(error)  # noqa: PT017


# A list's id


BASE = parsed(LIST)


@pytest.mark.parametrize(
    "change",
    [
        {"ladder": "day"},
        {"name": "other"},
        {"seed": 1},
        {"game": "qubic"},
        {"limit": Limit(nodes=7)},
        {"limit": Limit(depth=7)},
        {"limit": Limit(move_ms=7)},
        {"bots": (bot("level:1"), bot("random"))},
        {"bots": (bot("random"), bot("level:2"))},
        {"bots": (bot("random"), replace(bot("level:1"), version=99))},
        {"bots": (bot("random"), bot("level:1"), bot("level:2"))},
        {"pairs": 3},
        {"opening_plies": 3},
        {"repeat_openings": True},
        {"overrun_ms": 7},
        {"stall_ms": 7},
    ],
    ids=str,
)
def test_whatever_decides_the_games_is_in_the_id(change: dict[str, Any]) -> None:
    assert replace(BASE, **change).run_id != BASE.run_id


def test_limits_of_one_number_differ() -> None:
    limits = (NO_LIMIT, Limit(nodes=7), Limit(depth=7), Limit(move_ms=7))
    assert len({replace(BASE, limit=limit).run_id for limit in limits}) == 4


def test_another_version_of_the_schedule_is_another_list(monkeypatch: pytest.MonkeyPatch) -> None:
    before = BASE.run_id
    monkeypatch.setattr(schedule, "VERSION", schedule.VERSION + 1)
    assert BASE.run_id != before


def test_an_id_is_the_same_for_ever() -> None:
    """If this changes, no ladder that was recorded before goes on."""
    fixed = replace(BASE, bots=(replace(bot("random"), version=1), replace(bot("level:1"), version=1)))
    assert fixed.run_id == "night/tictactoe/8084c9f6db3f"


def test_what_stands_elsewhere_in_the_file_does_not_matter() -> None:
    for text in (
        "# A comment.\n" + HEAD + LIST,
        HEAD + LIST + '[[lists]]\ngame = "qubic"\nbots = ["random", "level:1"]\n',
        HEAD + LIST + "pairs = 2\nopening_plies = 2\noverrun_ms = 200\n",
        HEAD + '[[lists]]\nbots = ["random", "level:1"]\ngame = " mnk:3,3,3"\nname = "tictactoe"\n',
    ):
        assert parse(text).lists[0].run_id == BASE.run_id


def test_the_settings_tell_the_limit_in_words() -> None:
    assert BASE.settings["limit"] is None
    assert replace(BASE, limit=Limit(nodes=7)).settings["limit"] == {"nodes": 7}


# Openings


def test_openings_are_the_same_however_many_were_dealt() -> None:
    """And whoever asks first for which."""
    many = parsed(listing(game='"mnk:5,5,4"', opening_plies="2").removeprefix(HEAD))
    indices = [84, 3, 64, 63, 0]
    asked = [many.opening(index) for index in indices]
    config._openings.cache_clear()
    assert [many.opening(index) for index in sorted(indices)] == [asked[indices.index(one)] for one in sorted(indices)]
    assert many.different_openings == 85
    turned = rules("mnk:5,5,4").symmetries
    seen = {min(tuple(side[move] for move in many.opening(index)) for side in turned) for index in range(85)}
    assert len(seen) == 85, "each once before any comes again"


def test_few_openings_are_counted_unless_they_may_be_used_again() -> None:
    qubic = replace(BASE, game="qubic")
    assert qubic.different_openings == qubic.pairing.openings == 35
    assert replace(qubic, repeat_openings=True).pairing.openings is None
    assert replace(BASE, game="mnk:20,3,3", opening_plies=4).pairing.openings is None
    assert replace(BASE, opening_plies=0).pairing.openings == 1
    alike = {frozenset((s[o[0]], s[o[1]]) for s in rules("qubic").symmetries) for o in map(qubic.opening, range(35))}
    assert len(alike) == 35
    assert qubic.opening(35)  # dealt again where they may be used again


def test_openings_can_be_played() -> None:
    for plies in range(8):
        opening = replace(BASE, opening_plies=plies).opening(5)
        position = play_all(BASE_RULES.initial, opening)
        assert (len(opening), position.outcome) == (plies, None)
        assert position.to_move == (X if plies % 2 == 0 else other(X)) in (X, O)


BASE_RULES = rules("tictactoe")


# The example


def test_the_example_has_every_bot_and_the_games_that_it_promises() -> None:
    ladder = parse(OVERNIGHT.read_text())
    assert {one.game for one in ladder.lists} == {
        "qubic", "nine-board", "tictactoe", "mnk:4,4,4", "mnk:5,5,4", "ultimate",
    }  # fmt: skip
    for one in ladder.lists:
        if one.limit == NO_LIMIT:
            able = {entry.family for entry in bots() if bot(entry.family).plays(rules(one.game))} - NOT_LISTED
            assert able - {each.family for each in one.bots} <= BY_THE_LIST.get(one.game, set()), one.name
    assert {each.family for one in ladder.lists for each in one.bots} == {entry.family for entry in bots()} - NOT_LISTED
    assert any(one.limit.move_ms for one in ladder.lists)
    assert ladder.lists[0].different_openings == 35


NOT_LISTED = {"perfect", "pawar-ren-reading", "bragstad-reading"}
"""Families in no list: what is solved has a known result, readings are for trying and no program of an author's, and a
list's bots stay the same while its ladder runs."""

BY_THE_LIST = {
    # It looks up to 10 plies ahead at every line of play, which takes minutes a move there.
    "mnk:4,4,4": {"bragstad-variable"},
}
"""Families that play a game and are left out of its list."""


def test_a_bot_that_follows_its_games_takes_no_opening() -> None:
    def read(text: str) -> Ladder:
        head = 'name = "night"\nengines = "engines.toml"\n[[lists]]\ngame = "ultimate"\nbots = ["random", "tame"]\n'
        return parse(head + text, lambda name: "5/3", lambda name: Roster([Engine("tame", "a", "/", "codingame").bot]))

    [only] = read("opening_plies = 0\n").lists
    assert (only.opening(0), only.different_openings) == ((), 1)
    for text, plies in (("", 2), ('openings = "book.txt"\n', 1)):
        with pytest.raises(TomlError) as error:
            read(text)
        assert str(error.value) == (
            "List ultimate: tame follows each game from its start: it takes no openings, and this one has "
            f"{plies} plies."
        )
