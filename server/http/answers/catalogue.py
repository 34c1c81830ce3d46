"""The JSON answers about bots and rules, made of the engine's lists. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta, field

from engine.bots.roster import BotEntry, bots
from engine.bots.roster import Number as NumberParameter
from engine.bots.roster.ours import OURS
from engine.bots.roster.strength import strengths
from engine.rules.position import Rules
from engine.rules.registry import games
from server.http.answers.fields import Answer, Character, Family, Source
from server.wire import BotName, GameId, RatingView, Text


class WarmUpAnswer(Answer):
    """How far this server has compiled the bots' searches; until then those bots keep people waiting."""

    warm: bool
    done: Annotated[int, Meta(description="stages that are complete")]
    of: Annotated[int, Meta(description="stages in all; 0 until that is known")]


class ParameterAnswer(Answer):
    """A parameter of a family of bots: a whole number from `min` to `max`, or one of `choices`; else `default`."""

    name: Annotated[str, Meta(description="as in the names of bots, in lower case")]
    meaning: Text
    default: int | str
    min: int | None = None
    max: int | None = None
    choices: list[str] | None = None


class BotAnswer(Answer):
    """A family of bots; `name` has every default filled in."""

    family: Family
    name: BotName
    title: Text
    character: Character
    games: Annotated[str, Meta(description="the games that it plays, for people to read: every game, or their ids")]
    plays: Annotated[
        list[GameId], Meta(description="which of the listed games it plays; ask about any other with game=")
    ]
    ours: Annotated[bool, Meta(description="false for a bot of the literature and for an engine")]
    engine: Annotated[bool, Meta(description="true for another's program, which this server hosts")]
    version: Annotated[int, Meta(description="another when its play changes")]
    source: Source
    parameters: list[ParameterAnswer]
    opening_plies: (
        Annotated[
            int, Meta(description="how many moves a room's `start` may have, against an engine that follows each game")
        ]
        | None
    ) = None
    """left out where there may be any number"""
    strengths: Annotated[
        dict[BotName, Text],
        Meta(description="strengths measured in the game that was asked for, by full name"),
    ] = field(default_factory=dict)
    ratings: Annotated[
        dict[BotName, RatingView],
        Meta(
            description="ratings in the game that was asked for, by full name, of those that played rated games of it"
        ),
    ] = field(default_factory=dict)


class RulesAnswer(Answer):
    """A game as a page needs it: `dimensions` are columns, rows and, of a cube, levels."""

    id: GameId
    name: Annotated[str, Meta(description="the game's name, for people to read")]
    sentences: Annotated[list[str], Meta(description="the rules, in three sentences")]
    dimensions: list[int]
    nested: bool


def bot_answer(
    entry: BotEntry, game: Rules | None = None, ratings: Mapping[tuple[str, int], RatingView] | None = None
) -> BotAnswer:
    """`game` is the one that was asked for, `ratings` those of bots in it, by full name and version."""
    return BotAnswer(
        family=entry.family,
        name=entry.name,
        title=entry.title,
        character=entry.character,
        games=", ".join(entry.games),
        plays=[listed.id for listed in games() if entry.plays(listed)],
        ours=entry in OURS,
        engine=entry not in bots(),
        version=entry.version,
        source=entry.source,
        parameters=[_parameter(parameter, game) for parameter in entry.parameters],
        opening_plies=entry.opening_plies,
        strengths=strengths(entry.family, game.id) if game is not None else {},
        ratings={
            name: rating
            for (name, version), rating in (ratings or {}).items()
            if version == entry.version and name.partition(":")[0] == entry.family
        },
    )


def _parameter(parameter: Any, game: Rules | None = None) -> ParameterAnswer:
    if isinstance(parameter, NumberParameter):
        return ParameterAnswer(
            name=parameter.name,
            meaning=parameter.meaning,
            default=parameter.default,
            min=parameter.low,
            max=parameter.high if game is None else parameter.high_in(game),
        )
    return ParameterAnswer(
        name=parameter.name, meaning=parameter.meaning, default=parameter.default, choices=list(parameter.words)
    )


def rules_answer(rules: Rules) -> RulesAnswer:
    return RulesAnswer(
        id=rules.id,
        name=rules.name,
        sentences=list(rules.sentences),
        dimensions=list(rules.dimensions),
        nested=rules.nested,
    )
