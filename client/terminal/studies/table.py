"""The studies by the word that opens each: what the lobby's words, its list, its help and a palette read."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from client.terminal.language import t
from client.terminal.studies.analysis import Analysis
from client.terminal.studies.explorer import Explorer
from client.terminal.studies.ladder import LadderLists
from client.terminal.studies.lessons import Lessons
from client.terminal.studies.position import rules_and_moves
from client.terminal.studies.profile import player_study
from client.terminal.studies.puzzles import Puzzles
from client.terminal.studies.study import Study, StudyContext
from client.terminal.studies.television import Television


@dataclass(frozen=True, slots=True)
class OpenStudy:
    """A word of the table, and what was typed after it."""

    word: str
    rest: str = ""


async def _explore(context: StudyContext, rest: str) -> Study:
    return Explorer(context, *rules_and_moves(rest))


async def _analyse(context: StudyContext, rest: str) -> Study:
    return Analysis(context, *rules_and_moves(rest))


async def _ladder(context: StudyContext, rest: str) -> Study:
    return LadderLists(context, rest)


async def _puzzles(context: StudyContext, rest: str) -> Study:
    return Puzzles(context, rest)


async def _lessons(context: StudyContext, rest: str) -> Study:
    return Lessons(context, rest)


async def _tv(context: StudyContext, _: str) -> Study:
    return Television(context)


_OPENERS: dict[str, Callable[[StudyContext, str], Awaitable[Study]]] = {
    "puzzles": _puzzles,
    "lessons": _lessons,
    "explore": _explore,
    "analyse": _analyse,
    "ladder": _ladder,
    "player": player_study,
    "tv": _tv,
}
_WITH = {
    "puzzles": "[GAME]",
    "lessons": "[GAME]",
    "explore": "[GAME] [MOVES]",
    "analyse": "[GAME] [MOVES]",
    "ladder": "[GAME]",
    "player": "NAME",
}
STUDIES = tuple(_OPENERS)
"""The words."""


def study_name(word: str) -> str:
    return t(f"study.{word}")


def study_help() -> list[tuple[str, str]]:
    """What is typed for each study, and what it shows."""
    return [(f"{word} {_WITH.get(word, '')}".rstrip(), t(f"study.{word}.meaning")) for word in STUDIES]


async def open_study(context: StudyContext, asked: OpenStudy) -> Study:
    """The study with what it shows first. Raises BadChoice, NoughtsError."""
    study = await _OPENERS[asked.word](context, asked.rest)
    await study.open()
    return study
