"""Names that belong, or seem to belong, to bots of this server: a person called Level 2 would pass for a bot."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from engine.bots.roster import BotEntry

_IN_GERMAN = ("Stufe", "Zufall", "Stärkster", "Perfekt")
"""The page's German names of bots; those of the literature have the same name in every language."""
_ALIKE = str.maketrans(
    "i1|!\u0131\u01c00\u00f834@\u02515$\u0142\u0111\u0261"
    "\u0430\u0432\u0433\u0435\u0451\u0437\u0456\u0457\u0458\u043a\u043c\u043d\u043e\u043f\u0440\u0441\u0442\u0443\u0445\u044c\u0455\u0501\u04cf\u0475\u051b\u051d"
    "\u03b1\u03b2\u03b3\u03b5\u03b6\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u03c9",
    "llllllooeaaassldgabreeelljkmhonpctyxbsdlvqwabyeznlkuvoptuxw",
)
"""Latin, Cyrillic and Greek letters and signs, each with the Latin letter that it looks like."""
_NUMBER = re.compile(r"[\W\d_]*$")


class BotNames:
    """What the bots of a server are called."""

    def __init__(self, entries: Iterable[BotEntry]) -> None:
        names = [*_IN_GERMAN, *(name for entry in entries for name in (entry.name.partition(":")[0], entry.title))]
        self._written = frozenset(_written(name) for name in names)
        self._skeletons = frozenset(_skeleton(_NUMBER.sub("", _written(name))) for name in names) - {""}

    def are_imitated_by(self, name: str) -> bool:
        """Whether people may mistake this name, however it is spelt, for a bot's."""
        written = _written(name)
        without = re.sub(r"^\W*bot\b|\bbot\W*$", "", written)
        # The number first, which a letter may stand for: "Level l" looks like "Level 1".
        cut = [_NUMBER.sub("", text) for text in (written, without)]
        cut += [re.sub(r"[\W_]+[\dil|oz]{1,2}\W*$", "", text) for text in (written, without)]
        cut.append(_NUMBER.sub("", written.partition(":")[0]))
        return written in self._written or any(_skeleton(text) in self._skeletons for text in cut)


def _written(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _skeleton(text: str) -> str:
    """Only the letters, without accents; letters that look alike become the same one."""
    plain = unicodedata.normalize("NFD", text.translate(_ALIKE)).translate(_ALIKE)
    letters = "".join(character for character in plain if character.isalpha())
    return letters.replace("rn", "m").replace("vv", "w")
