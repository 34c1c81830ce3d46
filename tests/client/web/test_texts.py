"""The page's texts: every language has the same, each is used, and none stands in the code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.page.node import run_node
from tests.support.page.sources import WEB, page_scripts
from tests.support.page.texts import page_languages, page_texts

TEXTS = {language: page_texts(language) for language in page_languages()}
ENGLISH = TEXTS["en"]
CLIENT = WEB.parent
PAGE, SHARED, TERMINAL = WEB / "i18n" / "texts", WEB / "i18n" / "shared", CLIENT / "terminal" / "texts"
CATALOGUES = sorted(path for folder in (PAGE, SHARED, TERMINAL) for path in folder.glob("*.json"))
PARTS = {key.split(".")[0] for key in ENGLISH}
SCRIPTS = [name for name in page_scripts() if not name.startswith("vendor/")]
"""Without the code of others."""


def read(path: Path) -> dict[str, Any]:
    texts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return texts


FORMS = {"zero", "one", "two", "few", "many", "other"}
"""What Intl.PluralRules may answer."""
FORMS_OF = {"de": {"one", "other"}, "en": {"one", "other"}}


def literals(code: str) -> Iterator[tuple[str, str]]:
    """The string literals of a script, each with what stands before it; `${...}` becomes `${}`."""
    at = 0
    while at < len(code):
        if code.startswith("//", at):
            at = end_of(code, at, "\n") - 1
        elif code.startswith("/*", at):
            at = end_of(code, at + 2, "*/")
        elif code[at] == "/" and re.search(r"(?:[(,=:\[!&|?{};]|return|=>)\s*$", before(code, at)):
            at = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\[])*/").match(code, at).end()  # type: ignore[union-attr]
        elif code[at] in "'\"":
            found = re.compile(r"(['\"])((?:\\.|(?!\1).)*)\1").match(code, at)
            assert found, code[at : at + 40]
            yield found[2], before(code, at)
            at = found.end()
        elif code[at] == "`":
            text, inner, end = template(code, at)
            yield text, before(code, at)
            for part in inner:
                yield from literals(part)
            at = end
        else:
            at += 1


def before(code: str, at: int) -> str:
    """What stands before a place on its line, and on the line above where nothing does."""
    line = code.rfind("\n", 0, at) + 1
    if code[line:at].strip():
        return code[line:at]
    return code[code.rfind("\n", 0, max(0, line - 1)) + 1 : at].rstrip()


def end_of(code: str, at: int, mark: str) -> int:
    found = code.find(mark, at)
    return len(code) if found < 0 else found + len(mark)


def template(code: str, at: int) -> tuple[str, list[str], int]:
    """A template that begins here: its text, the code in it, and where it ends."""
    text, inner = "", []
    at += 1
    while code[at] != "`":
        if code[at] == "\\":
            text += code[at : at + 2]
            at += 2
        elif code.startswith("${", at):
            begin, depth = at + 2, 1
            at = begin
            while depth:
                if code[at] == "`":
                    at = template(code, at)[2]
                    continue
                depth += {"{": 1, "}": -1}.get(code[at], 0)
                at += 1
            inner.append(code[begin : at - 1])
            text += "${}"
        else:
            text += code[at]
            at += 1
    return text, inner, at + 1


BUILT = [
    r"games\.(?:draw|lost|wins|won)\.\w+",  # ladder/gameList.tsx, `ending`: by how a game ended
    r"review\..+\.(?:in|at_most)",  # record/reviewWords.js, `within`: by how many moves, and how sure
    r"review\.(?:threw|let|note\.threw)\.(?:win|draw)",  # record/reviewWords.js, `thrown`: what could have been
]
"""Keys that code builds from a key that is one itself."""

ON_THE_WIRE = re.compile(r"bots\.[xo]|clock\.\w+_ms|limit\.\w+")
"""Fields of messages that look like keys."""

FOR_CODE = ["class", "className", "querySelector", "querySelectorAll", "closest", "matches", "matchMedia", "viewBox"]
FOR_CODE += [r"\bd", "import", "key === ", "case ", "console", "authorization: ", "transform"]
"""What a literal stands behind, on its line, that no one reads."""

NO_PROSE = {
    *("Arrow", "Page", "Home", "End", "Escape", "Enter"),  # keys as the browser calls them
    "noughts ladder run ladders/overnight.toml",  # commands
    "noughts serve --ladder ladders/overnight.toml",
    "The texts of the page could not be loaded: ${}.",  # before there is a language
    *("Segmenter", ":is(a, button, summary):hover", "bot ${}"),  # of the browser, of CSS, of this code
    "color-mix(in srgb, var(--${}) ${}%, transparent)",
    "${} perspective(${}px) rotateX(${}deg) rotateY(${}deg) rotateX(90deg)",
}

PLAIN: dict[str, str] = json.loads(run_node("plain.js", *SCRIPTS))
LITERALS = {name: list(literals(code)) for name, code in PLAIN.items()}
KEY = re.compile(rf"(?:{'|'.join(PARTS)})(?:\.[\w-]+)+")
BUILT_KEY = re.compile(rf"(?:{'|'.join(PARTS)})\.[\w.${{}}-]*")


def names(text: Any) -> set[str]:
    """The placeholders of a text, in all its plural forms."""
    forms = text.values() if isinstance(text, dict) else [text]
    return {name for form in forms for name in re.findall(r"\{(\w+)\}", form)}


@pytest.mark.parametrize("language", TEXTS)
def test_a_language_has_the_texts_of_all_others(language: str) -> None:
    texts = TEXTS[language]
    assert texts.keys() == ENGLISH.keys()
    for key, text in texts.items():
        assert names(text) == names(ENGLISH[key]), key
        for form in text.values() if isinstance(text, dict) else [text]:
            assert form.strip() == form != "", key
            assert re.sub(r"\{\w+\}", "", form).count("{") == 0, key


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.relative_to(CLIENT).as_posix())
def test_a_file_of_texts_is_sorted(path: Path) -> None:
    assert list(read(path)) == sorted(read(path))


@pytest.mark.parametrize("language", TEXTS)
def test_a_key_stands_in_one_file(language: str) -> None:
    page, terminal, shared = (read(folder / f"{language}.json") for folder in (PAGE, TERMINAL, SHARED))
    assert not shared.keys() & (page.keys() | terminal.keys())


def test_what_page_and_terminal_both_say_stands_once() -> None:
    """Under one key, the same sentence in all languages: it belongs in the shared file."""
    pages, terminals = ([read(folder / f"{language}.json") for language in TEXTS] for folder in (PAGE, TERMINAL))
    both = pages[0].keys() & terminals[0].keys()
    assert not {key for key in both if all(one[key] == other[key] for one, other in zip(pages, terminals, strict=True))}


@pytest.mark.parametrize("language", TEXTS)
def test_the_mark_that_one_plays_does_not_stand_alone_on_a_line(language: str) -> None:
    assert " {mark}" not in read(PAGE / f"{language}.json")["lobby.side"]


@pytest.mark.parametrize("language", TEXTS)
def test_no_line_breaks_before_a_percent_sign(language: str) -> None:
    for key, text in read(PAGE / f"{language}.json").items():
        forms = text.values() if isinstance(text, dict) else [text]
        assert not [form for form in forms if re.search(r"[\d}] %", form)], key


@pytest.mark.parametrize("language", TEXTS)
def test_plurals_have_the_forms_of_the_language(language: str) -> None:
    for key, text in TEXTS[language].items():
        if isinstance(text, dict):
            assert text.keys() == FORMS_OF.get(language, text.keys() & FORMS), key
            assert names(text["other"]) == names(text), f"{key}: the form `other` holds every placeholder"


def pattern(text: str) -> str | None:
    """What keys may be that code builds from this: the beginning of keys, or a key with some parts left open."""
    if "${" in text:
        return ".*".join(re.escape(part) for part in text.split("${}")) if BUILT_KEY.fullmatch(text) else None
    begins = KEY.fullmatch(text) and text not in ENGLISH and not ON_THE_WIRE.fullmatch(text)
    return re.escape(text) + r"\..+" if begins else None


def test_every_text_that_is_used_exists() -> None:
    for name, found in LITERALS.items():
        for text, before in found:
            if re.search(r"\b(?:t|pieces|named)\($", before) and "${" not in text:
                assert text in ENGLISH, f"{name}: {text}"
            built = pattern(text)
            assert built is None or any(re.fullmatch(built, key) for key in ENGLISH), f"{name}: {text}"


def test_every_text_is_used() -> None:
    written = {text for found in LITERALS.values() for text, _ in found}
    patterns = [*BUILT, *(built for text in written if (built := pattern(text)))]
    unused = [key for key in ENGLISH if key not in written and not any(re.fullmatch(each, key) for each in patterns)]
    assert not unused


def prose(text: str, before: str) -> bool:
    """Whether a literal looks like a text for people: a word with a capital letter, or several words."""
    classes = re.fullmatch(r"[a-z]+-[a-z-]+(?: [a-z-]+)*", text)
    if classes or text in NO_PROSE or re.search(rf"(?:{'|'.join(FOR_CODE)})[^'`]*$", before):
        return False
    bare = text.replace("${}", " ").strip()
    capital = re.match(r"[A-ZÄÖÜ][a-zäöüß]+(?:[ .:,!?…]|$)", bare)
    words = re.search(r"[A-Za-zäöüß]{2,}[.:,;!?]? +[A-Za-zäöüß]{2,}", bare)
    glued = re.search(r"\$\{\} [a-z]{2,}|[a-z]{2,} \$\{\}", text)
    return bool(capital or words or glued)


def test_no_text_stands_in_the_code() -> None:
    assert not {f"{name}: {text}" for name, all_ in LITERALS.items() for text, before in all_ if prose(text, before)}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("el('p', null, 'Nothing here')", True),
        ("el('p', null, `${count} games`)", True),
        ("title: 'Game'", True),
        ("add('too short', act)", True),
        ("say(`${name} wins: ${t('x')}`) // 'Not this'", True),
        ("el('p', { class: 'big quiet' })", False),
        ("node.querySelector('input, select')", False),
        ("t('lobby.empty', { count })", False),
        ("text.split(/'It is'/)", False),
    ],
)
def test_what_looks_like_a_text(line: str, found: bool) -> None:
    assert any(prose(text, before) for text, before in literals(line)) is found
