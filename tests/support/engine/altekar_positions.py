"""Positions that several authors of the literature are asked about."""

from __future__ import annotations

# A drawn game in which O never has a win in hand on its turn.
DRAWN = (
    *(49, 48, 58, 26, 2, 17, 35, 34, 28, 59, 63, 21, 37, 25, 29, 42, 8, 22, 10, 7, 56, 23, 20, 32, 9, 11, 40, 24, 27),
    *(45, 53, 43, 30, 31, 16, 61, 41, 14, 1, 50, 38, 44, 39, 36, 12, 46, 47, 51, 0, 3, 15, 4, 18, 5, 6, 60, 55, 54),
    *(57, 13, 52, 62, 33, 19),
)
