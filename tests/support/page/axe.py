"""axe-core on a page of ours, in every look that the page has."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

from tests.support.page.node import TOOLS

AXE = TOOLS / "node_modules" / "axe-core" / "axe.min.js"
OPTIONS: dict[str, Any] = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "rules": {"target-size": {"enabled": True}},  # axe leaves WCAG 2.2 out unless it is asked for
    "resultTypes": ["violations"],
}


def only(*rules: str) -> dict[str, Any]:
    return {"runOnly": {"type": "rule", "values": [*rules]}, "resultTypes": ["violations"]}


COLOURS = only("color-contrast")
LAYOUT = only("color-contrast", "target-size", "scrollable-region-focusable", "region")
SIZES: dict[str, Any] = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 360, "height": 740}}

# Two frames: what follows the size of the window has been drawn then.
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
RUN = """async (options) => {
    const { violations } = await axe.run(document, options);
    return violations.flatMap(({ id, help, nodes }) => nodes.map((node) =>
        `${id}: ${help}\\n      ${node.target.join(' ')}\\n      ${node.html.slice(0, 160)}\\n      ` +
        [...node.any, ...node.all, ...node.none].map((each) => each.message).join('; ')));
}"""

LEAST_PX = 14
SMALL = """(least) => {
    const found = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(text);
        const parent = text.parentElement;
        if (!text.data.trim() || !range.getClientRects().length || parent.closest('option')) continue;
        if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
        if (parent.closest('.cell, .cube-cell, .owner, .spoken, .spoken-only')) continue;
        const px = parseFloat(getComputedStyle(parent).fontSize) * (parent.getScreenCTM?.().a ?? 1);
        if (px < least - 0.01) found.add(`${px.toFixed(1)} px: ${parent.outerHTML.slice(0, 120)}`);
    }
    return [...found];
}"""
"""What is written smaller than that. Marks of cells are as large as their cells."""


def violations(page: Page, options: dict[str, Any] = OPTIONS) -> list[str]:
    """What axe finds wrong with the page as it is now. By `evaluate`: a script tag would break the page's CSP."""
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(RUN, options)
    return found


class Inspector:
    """Collects what axe finds in the states of a page, so that one run tells everything."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self.states = 0

    def look(self, page: Page, state: str) -> None:
        """At this state on a desktop and on a phone, in every theme; all rules once, then those that may differ."""
        self.states += 1
        page.emulate_media(reduced_motion="reduce")  # still: a colour in the middle of a change is nobody's
        for size, rules in (("desktop", OPTIONS), ("phone", LAYOUT)):
            page.set_viewport_size(SIZES[size])
            for theme, options in (("light", rules), ("dark", COLOURS), ("chalk", COLOURS)):
                page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
                page.evaluate(SETTLED)
                self.found += [f"{state}, {size}, {theme}\n    {each}" for each in violations(page, options)]
            self.found += [f"{state}, {size}, small\n    {each}" for each in page.evaluate(SMALL, LEAST_PX)]
        page.set_viewport_size(SIZES["desktop"])

    def verdict(self) -> None:
        assert self.states
        assert not self.found, "\n" + "\n".join(self.found)
