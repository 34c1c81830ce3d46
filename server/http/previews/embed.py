"""A game as a page without scripts, for a frame of another site: a picture, steps through the moves, a link. Pure."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Set
from hashlib import sha256
from html import escape

from server.http.previews.board import HEIGHT, WIDTH
from server.http.previews.preview import Preview

_STYLE = (
    "body{margin:0;background:#f5f3ee;color:#20242c;font:16px/1.5 system-ui,sans-serif;text-align:center}"
    "img{display:block;width:100%;height:auto}"
    "p,nav{margin:0;padding:.25rem .75rem}"
    "nav{display:flex;flex-wrap:wrap;justify-content:center;align-items:center;gap:0 .25rem}"
    "nav a,nav span{min-width:2.75rem;padding:.6rem .5rem;color:#2450c4}"
    "nav span{color:#5b6068}"
    "a:focus-visible{outline:3px solid #1a49d6;outline-offset:-3px}"
    "@media(prefers-color-scheme:dark){"
    "body{background:#14161b;color:#e9e8e4}nav a{color:#93b4ff}nav span{color:#a9adb7}}"
)
_STYLE_HASH = b64encode(sha256(_STYLE.encode()).digest()).decode()


def embed_policy(origins: Set[str]) -> str:
    """Policy that lets only pages of these origins show it: without any, nobody."""
    ancestors = " ".join(sorted(origins)) or "'none'"
    return (
        f"default-src 'none'; img-src 'self'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none'; "
        f"frame-ancestors {ancestors}"
    )


def embed_page(preview: Preview, game: int, ply: int, plies: int) -> str:
    """`preview` is that of the game; `ply` of its `plies` moves are shown."""
    title = escape(preview.title)
    steps = [
        _step("First", 0 if ply else None, "|&lt;"),
        _step("Back", ply - 1 if ply else None, "&lt;"),
        f"<span>{ply} / {plies}</span>",
        _step("Next", ply + 1 if ply < plies else None, "&gt;"),
        _step("Last", plies if ply < plies else None, "&gt;|"),
    ]
    link = f'<a href="/game/{game}?ply={ply}" target="_blank" rel="noopener">'
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f'{link}<img src="/api/games/{game}/picture.svg?ply={ply}" width="{WIDTH}" height="{HEIGHT}" '
        f'alt="{title}, after {ply} of {plies} moves"></a>\n'
        f"<p>{title}. {escape(preview.sentence)}</p>\n"
        f'<nav aria-label="Moves">{"".join(steps)}{link}Replay on noughts</a></nav>\n</body>\n</html>\n'
    )


def _step(name: str, ply: int | None, sign: str) -> str:
    """A link to another ply; None where there is none."""
    if ply is None:
        return f'<span aria-hidden="true">{sign}</span>'
    return f'<a href="?ply={ply}" aria-label="{name}">{sign}</a>'
