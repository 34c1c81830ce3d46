"""One design: every colour, space and size of type is a token of tokens.css."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import client
from tests.support.page_sources import WEB, page_sources

TOKENS = "ui/tokens.css"
ALL = "page.css"
SHEETS = sorted(set(page_sources("*.css")) - {TOKENS, ALL})
NAMES = "white|black|gr[ae]y|silver|red|green|blue|yellow|orange|purple"
LITERALS = {
    "a colour": r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|rgba|hsl|hsla|hwb|lab|lch|oklab|oklch)\(",
    "a colour by its name": rf":[^;{{}}]*[\s(,](?:{NAMES})\b(?!-)[^;{{}}]*;",
    "a size of type": r"\bfont(?:-size)?:\s*[\d.]+(?:rem|px|pt)",
    "a small space": r"\b(?:margin|padding|gap|inset)[a-z-]*:[^;{}]*(?<!\d)0?\.\d+rem",
}


def style(name: str) -> str:
    return re.sub(r"/\*.*?\*/", "", (WEB / name).read_text(encoding="utf-8"), flags=re.DOTALL)


@pytest.mark.parametrize("name", SHEETS)
def test_what_is_a_token_is_not_written_out(name: str) -> None:
    text = style(name)
    found = [f"{what}: {match[0].strip()}" for what, it in LITERALS.items() for match in re.finditer(it, text)]
    assert not found


@pytest.mark.parametrize(
    ("what", "rule"),
    [
        ("a colour", ".a { color: #fff }"),
        ("a colour", ".a { background: rgb(0 0 0 / 5%) }"),
        ("a colour by its name", ".a { color: color-mix(in srgb, var(--x) 5%, white); }"),
        ("a size of type", ".a { font-size: 0.9rem }"),
        ("a small space", ".a { padding: var(--s1) 0.3rem }"),
    ],
)
def test_the_test_sees_literals(what: str, rule: str) -> None:
    assert [name for name, it in LITERALS.items() if re.search(it, rule)] == [what]


def test_names_that_look_like_colours_are_none() -> None:
    rule = '[data-colours="blue-orange"] { white-space: nowrap; color: var(--red); font-size: 0.75em; padding: 5rem }'
    assert not [name for name, it in LITERALS.items() if re.search(it, rule)]


def test_each_property_that_is_used_is_somewhere_set() -> None:
    sheets = "".join(style(name) for name in [TOKENS, *SHEETS])
    scripts = "".join((WEB / name).read_text(encoding="utf-8") for name in page_sources("*.js"))
    used = set(re.findall(r"var\((--[\w-]+)", sheets))
    given = set(re.findall(r"(--[\w-]+):|@property (--[\w-]+)", sheets))
    assert not used - {name for pair in given for name in pair} - set(re.findall(r"'(--[\w-]+)'", scripts))


def test_dark_mode_only_renames() -> None:
    light, dark = style(TOKENS).split("@media", 1)
    assert set(re.findall(r"(--[\w-]+):", dark)) <= set(re.findall(r"(--[\w-]+):", light))


def test_the_page_loads_every_sheet_the_tokens_first() -> None:
    named = re.findall(r'@import "\./([\w/]+\.css)";', style(ALL))
    assert named[0] == TOKENS
    assert sorted(named[1:]) == SHEETS


def test_the_pictures_of_the_readme_are_there_and_small() -> None:
    root = Path(client.__file__).parents[1]
    shown = {
        root / path for path in re.findall(r"\]\((docs/pictures/[^)]+)\)", (root / "README.md").read_text("utf-8"))
    }
    assert shown == {path for path in (root / "docs/pictures").iterdir() if path.is_file()}
    assert all(path.stat().st_size < 150_000 for path in shown)


@pytest.mark.parametrize("name", SHEETS)
def test_no_rule_names_what_all_cells_change_at_each_move(name: str) -> None:
    # One such rule makes a move on a large board three times as slow: the style of every cell is worked out anew.
    assert not re.findall(r"[^{}]*\.(?:playable|plannable)\b[^{}]*{", style(name))
