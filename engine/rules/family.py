"""What a rules file hands to the registry: one family of games, from the text of its parameters to its rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from engine.rules.position import Rules


@dataclass(frozen=True, slots=True)
class Family:
    """Games whose ids share the word before the colon.

    `canonical` reads the text after the colon (None when there is no colon) and returns the one way to write it, None
    again for no colon; it raises UnknownGame with a sentence that says what would be right. `build` makes the rules
    for an id and the canonical parameters in it.
    """

    name: str
    form: str
    """How an id of this family is written, for people: `mnk:M,N,K`."""
    canonical: Callable[[str | None], str | None]
    build: Callable[[str, str | None], Rules]
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Alias -> canonical parameters."""
    listed: tuple[str | None, ...] = ()
    """Canonical parameters of the games offered to people who choose one."""
