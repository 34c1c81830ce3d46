"""Draws plots as SVG, by hand: a hundred elements each need no library, and text stays text.

`canvas` collects elements, `scales` places values and chooses the numbers beside an axis, `axes` draws those; `lines`,
`bars`, `rows` and `heat` draw a kind of plot each, and `picture` puts a title above it. Pure: the same plot gives the
same SVG. Units are those of an SVG that is WIDTH of them wide.
"""
