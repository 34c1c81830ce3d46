"""What a player may be called."""

from __future__ import annotations

import re
import unicodedata

from engine.bots.roster import Roster
from server.rooms.players.bot_names import BotNames
from server.rooms.refused import Refused

NAME_LENGTH = 20
FIELD = "name"
"""of a greeting"""
_JOINER = re.compile("[\u200c\u200d]")
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that show nothing, though Unicode counts them as printable."""


def checked_name(text: str) -> str:
    """A player's name as it is kept: NFC, trimmed. Raises Refused."""
    name = unicodedata.normalize("NFC", text).strip()
    if not 1 <= len(name) <= NAME_LENGTH:
        raise Refused("bad_name", f"A name has 1 to {NAME_LENGTH} characters; this one has {len(name)}.", FIELD)
    if not _is_printable(name) or not _BLANK.isdisjoint(name):
        raise Refused("bad_name", "A name may contain only printable characters.", FIELD)
    if all(unicodedata.category(character)[0] in "MC" for character in name):
        raise Refused("bad_name", "A name needs a letter or sign that can be seen; this one has only marks.", FIELD)
    return name


class NewNames:
    """Names that nobody has yet: whoever takes one may not pass for a bot of this server."""

    def __init__(self, bots: Roster) -> None:
        self._of_bots = BotNames(bots.entries)

    def check(self, name: str) -> None:
        """Raises Refused."""
        if self._of_bots.are_imitated_by(name):
            raise Refused("bad_name", "This name looks like a bot's; choose another.", FIELD)


def _is_printable(name: str) -> bool:
    """Joiners, with which Persian, Indic scripts and families of emoji are spelt, belong between what they join."""
    return all(part.strip() and part.isprintable() for part in _JOINER.split(name))
