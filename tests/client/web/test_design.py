"""One design: every colour, space and size of type is a token of tokens.css."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import client
from tests.support.page.sources import WEB, page_scripts, page_sources

TOKENS = "ui/tokens.css"
FIRST, LATER = ALL = ("page.css", "views.css")
"""What the first page loads, and what comes with the first other view."""
SHEETS = sorted(set(page_sources("*.css")) - {TOKENS, *ALL})
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
    scripts = "".join((WEB / name).read_text(encoding="utf-8") for name in page_scripts())
    used = set(re.findall(r"var\((--[\w-]+)", sheets))
    given = set(re.findall(r"(--[\w-]+):|@property (--[\w-]+)", sheets))
    assert not used - {name for pair in given for name in pair} - set(re.findall(r"'(--[\w-]+)'", scripts))


# Themes: light and dark by light-dark(), chalk by a block of its own


def declared(block: str) -> dict[str, str]:
    return {name: value.strip() for name, value in re.findall(r"(--[\w-]+):([^;]+);", block)}


def blocks(selector: str) -> dict[str, str]:
    """What the tokens say for elements with just this selector."""
    found: dict[str, str] = {}
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", style(TOKENS).split("@media")[0]):
        if selector in [one.strip() for one in selectors.split(",")]:
            found |= declared(body)
    return found


EVERY = blocks(":root")
PAIRS = ("blue-orange", "ink-red", "violet-ochre")
CHALK = blocks('[data-theme="chalk"]')
SAME_IN_ALL = {"--bead-ink", "--stone-shade", "--stone-shade-edge", "--shine", "--depth"}
COLOUR = LITERALS["a colour"]
Light = tuple[float, float, float]
"""Red, green and blue, as much as there is of each."""


def test_a_theme_only_renames() -> None:
    assert set(CHALK) < set(EVERY)
    assert all(set(blocks(f'[data-colours="{pair}"]')) == {"--x", "--o"} for pair in PAIRS)
    forced = declared(style(TOKENS).split("@media", 1)[1])
    assert set(forced) < set(EVERY)


def test_every_colour_has_a_light_and_a_dark_value() -> None:
    coloured = {name: value for name, value in EVERY.items() if re.search(COLOUR, value)}
    outside = {
        name
        for name, value in coloured.items()
        if re.search(COLOUR, re.sub(r"light-dark\((?:[^()]|\([^()]*\))*\)", "", value))
    }
    assert outside == SAME_IN_ALL


def theme_colours(theme: str, pair: str) -> dict[str, str]:
    def one(value: str) -> str:
        return re.sub(r"light-dark\((#\w+), (#\w+)\)", r"\1" if theme == "light" else r"\2", value)

    chosen = EVERY | blocks(f'[data-colours="{pair}"]') | (CHALK if theme == "chalk" else {})
    return {name: one(value) for name, value in chosen.items()}


def linear(colour: str) -> Light:
    assert re.fullmatch(r"#[0-9a-f]{6}", colour), colour
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def luminance(light: Light) -> float:
    red, green, blue = light
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, bright = sorted((luminance(linear(one)), luminance(linear(other))))
    return (bright + 0.05) / (dark + 0.05)


TEXT = 4.5
DRAWN = 3.0
"""What WCAG wants of text and of what is drawn."""
GROUNDS = ("paper", "surface", "sunken", "rank-0")
ON_GROUNDS = [
    *((ink, ground, TEXT) for ink in ("ink", "ink-soft") for ground in (*GROUNDS, "accent-soft")),
    *((ink, ground, TEXT) for ink in ("accent", "bad", "x", "o") for ground in ("paper", "surface", "rank-0")),
    ("accent-ink", "accent", TEXT),
    ("bad", "bad-soft", TEXT),
    ("ink", "bad-soft", TEXT),
    ("win-ink", "win", TEXT),
    *((mark, "win", DRAWN) for mark in ("x", "o")),
    ("rule-strong", "surface", DRAWN),
    ("focus", "surface", DRAWN),
    ("focus", "paper", DRAWN),
]


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("theme", ["light", "dark", "chalk"])
def test_colours_stand_out_in_every_theme(theme: str, pair: str) -> None:
    colour = theme_colours(theme, pair)
    ratios = {(ink, on): contrast(colour[f"--{ink}"], colour[f"--{on}"]) for ink, on, _ in ON_GROUNDS}
    assert not {(ink, on): round(ratios[ink, on], 2) for ink, on, least in ON_GROUNDS if ratios[ink, on] < least}


# Machado, Oliveira and Fernandes 2009, for linear RGB: nobody who lacks one kind of cone sees other colours than these.
EYES = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}


def seen(colour: str, eye: str) -> Light:
    """In CIELAB, where distances are those that are seen."""
    lit = linear(colour)
    red, green, blue = (min(1.0, max(0.0, sum(a * b for a, b in zip(row, lit, strict=True)))) for row in EYES[eye])
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    steps = (x, luminance((red, green, blue)), z)
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in steps)
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("theme", ["light", "dark", "chalk"])
def test_the_marks_of_both_can_be_told_apart_by_every_eye(theme: str, pair: str) -> None:
    colour = theme_colours(theme, pair)
    x, o = colour["--x"], colour["--o"]
    for eye in EYES:
        apart = sum((a - b) ** 2 for a, b in zip(seen(x, eye), seen(o, eye), strict=True)) ** 0.5
        assert apart > 25, eye  # of which 2 can just be told apart side by side
    if pair == "ink-red":
        assert contrast(x, o) > 2.4  # for whoever sees no colours at all


@pytest.mark.parametrize("mark", ["x", "o"])
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("theme", ["light", "dark", "chalk"])
def test_a_mark_stands_out_in_a_board_that_it_has_won(theme: str, pair: str, mark: str) -> None:
    colour = theme_colours(theme, pair)
    mixed = re.fullmatch(rf"color-mix\(in srgb, var\(--{mark}\) (\d+)%, var\(--([\w-]+)\)\)", colour[f"--{mark}-soft"])
    assert mixed
    part, pure, ground = int(mixed[1]) / 100, colour[f"--{mark}"], colour[f"--{mixed[2]}"]
    mix = [round(part * int(pure[i : i + 2], 16) + (1 - part) * int(ground[i : i + 2], 16)) for i in (1, 3, 5)]
    assert contrast(pure, "#" + "".join(f"{each:02x}" for each in mix)) >= DRAWN


def test_the_settings_offer_each_pair_of_colours() -> None:
    [offered] = re.findall(r"COLOURS = \[([^]]*)\]", (WEB / "ui/preferences.ts").read_text(encoding="utf-8"))
    assert tuple(re.findall(r"'([\w-]+)'", offered)) == PAIRS


# Type


def test_the_type_scale_begins_at_14_px_and_has_a_clear_ratio() -> None:
    sizes = [float(value.removesuffix("rem")) * 16 for name, value in EVERY.items() if name.startswith("--type-")]
    assert sizes == [14, 16, 18, 22, 28, 36]


@pytest.mark.parametrize("name", SHEETS)
def test_no_size_of_type_is_told_in_parts_of_another(name: str) -> None:
    """0.75em of the smallest would be 10 px. Marks of a cell follow the size of the cell."""
    rules = re.findall(r"([^{}]+)\{([^{}]*font-size:\s*0?\.\d+em[^{}]*)\}", style(name))
    assert [selector.strip() for selector, _ in rules if "ghost" not in selector] == []


# Layers


def test_no_two_views_dress_the_same_class() -> None:
    """All sheets are loaded at once: the later one would change a page that it knows nothing of."""
    views = re.findall(r'@import "\./([\w/]+\.css)" layer\(views\);', style(FIRST) + style(LATER))
    dressed: dict[str, set[str]] = {}
    for name in views:
        for selectors in re.findall(r"([^{}]+)\{", style(name)):
            for found in re.findall(r"(?:^|,)\s*\.([\w-]+)\s*(?=,|$)", selectors.strip()):
                dressed.setdefault(found, set()).add(name)
    assert {found: names for found, names in dressed.items() if len(names) > 1} == {}


def test_the_page_loads_every_sheet_in_a_layer() -> None:
    order = re.findall(r"\w+", re.findall(r"@layer ([^;]+);", style(FIRST))[0])
    imports = [re.findall(r'@import "\./([\w/]+\.css)" layer\((\w+)\);', style(name)) for name in ALL]
    named = [one for sheet in imports for one in sheet]
    assert order == ["reset", "tokens", "base", "parts", "views", "state"]
    assert sorted(name for name, _ in named) == sorted([TOKENS, *SHEETS])
    assert [name for name, layer in named if layer == "tokens"] == [TOKENS]
    for sheet in imports:
        assert [order.index(layer) for _, layer in sheet] == sorted(order.index(layer) for _, layer in sheet)
    assert {layer for _, layer in imports[1]} == {"parts", "views"}


@pytest.mark.parametrize("name", SHEETS)
def test_no_sheet_is_loud_where_its_layer_decides(name: str) -> None:
    loud = re.findall(r"([^{};]+):[^{};]*!important", style(name))
    assert {what.strip() for what in loud} <= {"transition", "animation", "display", "background", "color"}


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
