"""The terminal's sentences, in one language: `t` finds them. Each language is one file in `texts`.

What the page says in the same words stands in a file that both read: client/web/i18n/shared.

A file maps flat keys to sentences with `{name}` for values. Where a sentence depends on a number it holds one for each
plural form, chosen by `count`; `language.plural` names the forms and says which holds, in the words of gettext.
What a file lacks is said in English.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TypeAlias

FOLDER = Path(__file__).parent / "texts"
SHARED = Path(__file__).parents[1] / "web" / "i18n" / "shared"
ENGLISH = "en"
Text: TypeAlias = str | dict[str, str]


class _Language:
    def __init__(self, code: str) -> None:
        self.code = code
        self.texts: dict[str, Text] = read_texts(ENGLISH) | read_texts(code)
        self._forms, self._choose = _plural(str(self.texts["language.plural"]))
        points = (str(self.texts["language.decimal"]), str(self.texts["language.thousands"]))
        self.points = str.maketrans(dict(zip(".,", points, strict=True)))

    def sentence(self, key: str, values: Mapping[str, object]) -> str:
        text = self.texts[key]
        if isinstance(text, str):
            return text
        return text[self._forms[self._choose(int(str(values["count"])))]]


def _plural(rule: str) -> tuple[list[str], Callable[[int], int]]:
    """The forms, and which of them a number takes: `one other: n != 1`."""
    from gettext import c2py

    forms, _, chosen = rule.partition(":")
    return forms.split(), c2py(chosen.strip())


@cache
def read_texts(code: str) -> dict[str, Text]:
    """Key -> sentence of one language, those that the page says too among them."""
    files = (folder / f"{code}.json" for folder in (SHARED, FOLDER))
    texts: dict[str, Text] = {}
    for file in files:
        if file.exists():
            texts |= json.loads(file.read_text(encoding="utf-8"))
    return texts


def languages() -> list[str]:
    """Codes of the languages that there are."""
    return sorted(file.stem for file in FOLDER.glob("*.json"))


def wanted(environment: Mapping[str, str]) -> str:
    """The language that a user's environment asks for, English where there is no such file."""
    name = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    code = name.partition(".")[0].partition("_")[0].partition("@")[0].lower()
    return code if code in languages() else ENGLISH


_spoken: _Language | None = None


def speak(code: str) -> None:
    """Speak this language from now on. Nothing that is already shown changes."""
    global _spoken
    _spoken = _Language(code)


def _now() -> _Language:
    if _spoken is None:
        speak(ENGLISH)
    assert _spoken is not None
    return _spoken


def spoken() -> str:
    """The code of the language."""
    return _now().code


def t(key: str, **values: object) -> str:
    """The sentence of a key, with its values put in as they are."""
    sentence = _now().sentence(key, values)
    return sentence.format_map(values) if values else sentence


def there_is(key: str) -> bool:
    return key in _now().texts


def number(written: str) -> str:
    """A number, written the English way, as it is written here: 1,234.5."""
    return written.translate(_now().points)
