import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bots.roster import MAX_NAME_LENGTH, UnknownBot, bot, bots
from engine.rules.limit import NO_LIMIT, Limit
from engine.rules.registry import games
from tests.support.examples import examples


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("random", "random"),
        ("spot", "random"),
        ("alphabeta", "alphabeta:2"),
        ("alphabeta:2", "alphabeta:2"),
        ("alphabeta:020", "alphabeta:20"),
    ],
)
def test_names_become_canonical(text: str, name: str) -> None:
    assert bot(text).name == name
    assert bot(text) == bot(name)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "There is no bot '': `noughts bots` lists them."),
        ("Random", "There is no bot 'Random' (did you mean random?): `noughts bots` lists them."),
        ("alphabetta:4", "(did you mean alphabeta?)"),
        ("alphabeta:0", "The ply of alphabeta:PLY is 1..20, not '0'."),
        ("alphabeta:21", "is 1..20, not '21'."),
        ("alphabeta:", "is 1..20, not ''."),
        ("alphabeta: 2", "is 1..20"),
        ("alphabeta:\u0662", "is 1..20"),
        ("alphabeta:2,3", "too many parameters: write alphabeta:PLY."),
        ("random:1", "too many parameters: write random."),
        ("alphabeta:" + "1" * 60, f"at most {MAX_NAME_LENGTH} characters"),
    ],
)
def test_the_sentence_says_what_would_be_right(text: str, sentence: str) -> None:
    with pytest.raises(UnknownBot) as caught:
        bot(text)
    assert sentence in str(caught.value)


@given(st.text(max_size=70) | st.from_regex(r"(alphabeta|random|spot):?[0-9,\u0660 -]{0,12}"))
@examples(300)
def test_only_unknown_bots_escape(text: str) -> None:
    try:
        found = bot(text)
    except UnknownBot:
        return
    assert bot(found.name) == found


def test_entries_list_what_a_person_chooses_by() -> None:
    assert [entry.name for entry in bots()][:2] == ["random", "alphabeta:2"]
    for entry in bots():
        assert bot(entry.name).entry is entry
        assert entry.title
        assert entry.character.endswith(".")
        assert entry.source
        assert entry.version >= 1
        for parameter in entry.parameters:
            assert parameter.read(str(parameter.default)) == parameter.default
            assert parameter.range


def test_families_and_aliases_are_distinct() -> None:
    names = [name for entry in bots() for name in (entry.family, *entry.aliases)]
    assert len(set(names)) == len(names)


def test_the_first_bots_play_every_game_under_every_limit() -> None:
    for name in ("random", "alphabeta:3"):
        assert all(bot(name).plays(game) for game in games())
        for limit in (NO_LIMIT, Limit(move_ms=1), Limit(nodes=1), Limit(depth=1)):
            assert bot(name).takes(limit) is None


def test_bots_travel_between_processes() -> None:
    assert pickle.loads(pickle.dumps(bot("alphabeta:4"))) == bot("alphabeta:4")
