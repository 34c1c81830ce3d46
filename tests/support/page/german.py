"""Whether what a page says is German."""

from __future__ import annotations

import re

from playwright.sync_api import Page

ENGLISH = re.compile(
    r"\b(the|of|and|is|are|move|moves|game|games|won|lost|drawn|wins|draw|with|best|points|rated|against|"
    r"position|show|back|last|bot.s|yet|loading|looking|your|you|play|plays|board|boards|turn|level|empty|take|"
    r"resign|settings|keys|clock|cell|waiting|somebody|anybody|new|to)\b",
    re.IGNORECASE,
)
"""Words that no German sentence has."""
SAID = """(root) => {
  const found = [document.title];
  const said = ['aria-label', 'title', 'alt', 'aria-valuetext', 'placeholder'];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    if (element.closest('[lang=en], #silent[hidden], bdi, pre, code, noscript, script')) continue;
    if (node.nodeType === Node.TEXT_NODE) found.push(node.data);
    else for (const name of said) found.push(node.getAttribute(name) ?? '');
  }
  return found;
}"""
"""What one sees and what is read aloud, without names and what is marked as English."""


def all_german(page: Page) -> None:
    """Of the whole page, open dialogs too."""
    said: list[str] = page.locator("body").evaluate(SAID)
    assert sum(map(len, said)) > 200
    assert [line for line in said if ENGLISH.search(line)] == []
