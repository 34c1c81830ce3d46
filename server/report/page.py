"""The report as one HTML file: pictures and styles are in it, nothing is fetched, no script is needed. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Final

from server.report.plots import Cell, Part, Picture, Table


def page(title: str, facts: Sequence[str], parts: Sequence[Part], svgs: Mapping[str, str]) -> str:
    """`svgs` has the picture of each name."""
    contents = "".join(f'<li><a href="#{part.name}">{escape(part.title)}</a></li>' for part in parts)
    body = "\n".join(_part(part, svgs, 2) for part in parts)
    about = "".join(f"<p>{escape(fact)}</p>" for fact in facts)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<header>\n<h1>{escape(title)}</h1>\n{about}\n</header>\n"
        f'<nav aria-label="Contents"><ul>{contents}</ul></nav>\n'
        f"<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _part(part: Part, svgs: Mapping[str, str], level: int) -> str:
    sentences = "".join(f"<p>{escape(sentence)}</p>" for sentence in part.sentences)
    figures = "".join(_figure(picture, svgs[picture.name]) for picture in part.pictures)
    pictures = f'<div class="pictures">{figures}</div>' if figures else ""
    tables = "\n".join(map(_table, part.tables))
    inner = "\n".join(_part(one, svgs, level + 1) for one in part.parts)
    heading = f"<h{level}>{escape(part.title)}</h{level}>"
    return f'<section id="{part.name}">\n{heading}\n{sentences}\n{pictures}\n{tables}\n{inner}\n</section>'


def _figure(picture: Picture, svg: str) -> str:
    label = escape(picture.alt, quote=True)
    svg = svg.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)
    return f'<figure id="{picture.name}-picture">{svg}<figcaption>{escape(picture.reading)}</figcaption></figure>\n'


def _table(table: Table) -> str:
    columns = zip(*table.rows, strict=True) if table.rows else [()] * len(table.head)
    head = "".join(_head(name, column) for name, column in zip(table.head, columns, strict=True))
    rows = "\n".join(f"<tr>{_row(row, table)}</tr>" for row in table.rows)
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    kind = ' class="cross"' if table.shaded else ""
    return (
        f'<div class="table" role="region" tabindex="0" aria-label="{escape(table.title, quote=True)}">'
        f"<table{kind}><caption>{escape(table.title)}</caption><thead><tr>{head}</tr></thead>\n"
        f"<tbody>{rows}</tbody></table></div>{note}"
    )


def _head(name: str, column: Sequence[Cell]) -> str:
    """Above numbers on the right, as they are."""
    numbers = [_is_number(cell) for cell in column if cell not in ("", None)]
    kind = ' class="n"' if numbers and all(numbers) else ""
    return f'<th scope="col"{kind}>{escape(name)}</th>'


def _row(row: Iterable[Cell], table: Table) -> str:
    first, *rest = row
    return f'<th scope="row">{_text(first)}</th>' + "".join(_cell(cell, table) for cell in rest)


def _cell(cell: Cell, table: Table) -> str:
    if table.shaded:
        return _shaded(str(cell))
    kind = ' class="n"' if _is_number(cell) else ' class="long"' if len(str(cell)) > _LONG else ""
    return f"<td{kind}>{_text(cell)}</td>"


_LONG: Final = 40
"""Letters of a cell, above which it may be broken into lines."""


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, int | float) or bool(_NUMBER.match(str(cell or "")))


_NUMBER: Final = re.compile(r"[-+]?[\d.,]+( %| to |$)")
"""What begins a cell that is to stand on the right."""


def _shaded(text: str) -> str:
    """`12.5/20`: blue for much, orange for little."""
    points, slash, games = text.partition("/")
    if not slash:
        return '<td class="none"></td>'
    share = float(points) / float(games)
    colour = "var(--much)" if share >= 0.5 else "var(--little)"
    return f'<td class="n" style="--c:{colour};--s:{abs(share - 0.5) * 120:.0f}%">{escape(text)}</td>'


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, int | float):
        return f"{cell:,}"
    return escape(cell)


_STYLE: Final = """
:root{color-scheme:light dark;--paper:#f5f3ee;--surface:#fffefb;--ink:#20242c;--soft:#5b6068;--rule:#ddd7ca;
--accent:#2a55cc;--much:#4f9fd0;--little:#e69a5e}
@media(prefers-color-scheme:dark){:root{--paper:#14161b;--surface:#1d2027;--ink:#e9e8e4;--soft:#a9adb7;--rule:#333843;
--accent:#8fb1ff;--much:#1f6fa8;--little:#a8511a}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:74rem;padding:1.5rem 1rem 4rem;background:var(--paper);color:var(--ink);
font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",Ubuntu,sans-serif}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 .5rem}
h2{font-size:1.35rem;margin:2.5rem 0 .5rem;padding-top:.75rem;border-top:2px solid var(--rule)}
h3{font-size:1.1rem;margin:1.75rem 0 .25rem}
p{margin:.25rem 0 .75rem;max-width:46rem}
header p{margin:.1rem 0;color:var(--soft)}
a{color:var(--accent)}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:1rem 0 0;padding:0;list-style:none}
.pictures{columns:2 28rem;column-gap:1rem;margin:1rem 0}
figure{break-inside:avoid;margin:0 0 1rem;
padding:.5rem .75rem .75rem;background:var(--surface);border:1px solid var(--rule);border-radius:.5rem}
figure svg{display:block;width:100%;max-width:38rem;height:auto;margin:0 auto}
figcaption,.note{color:var(--soft);font-size:.9rem}
figcaption{margin-top:.25rem}
.table{overflow-x:auto;margin:1rem 0 .5rem}
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.25rem 0}
th,td{padding:.2rem .6rem;text-align:left;border-bottom:1px solid var(--rule);vertical-align:top}
th,td{white-space:nowrap}
thead th{color:var(--soft);font-weight:600;vertical-align:bottom}
tbody th{font-weight:400}
td.long{white-space:normal;min-width:18rem}
td.n,th.n{text-align:right}
.cross td{border:1px solid var(--paper);background:color-mix(in srgb,var(--c,transparent) var(--s,0%),var(--surface))}
.cross td.none{background:var(--rule)}
.cross thead th.n,.cross thead th{text-align:center}
@media(max-width:32rem){figure{padding:.35rem .35rem .6rem}}
@media print{:root{--paper:#fff;--surface:#fff;--ink:#000;--soft:#333;--rule:#ccc;--much:#9fc9e4;--little:#f2c7a3;
color-scheme:light}svg{--ink:#000!important;--blue:#0072b2!important}body{max-width:none;padding:0;font-size:10pt}nav{display:none}
.table{overflow:visible}table{font-size:8pt}thead th{white-space:normal}th,td{padding:.1rem .35rem}
.cross{font-size:6pt}.cross th,.cross td{padding:.05rem .15rem}
.pictures{columns:auto}figure{border:0;max-width:15cm}h2,h3,caption{break-after:avoid}tr{break-inside:avoid}}
"""
