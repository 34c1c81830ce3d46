"""The legal moves of a position as a JSON list, put together from parts that are made once. Pure.

Every event of a move carries them for the player to move, on most boards. Making sixty texts into a list and that
into JSON would cost a twentieth of a move.
"""

from __future__ import annotations

from functools import lru_cache

from engine.rules.position import Position, Rules

PARTS = 16_384
"""How many parts are kept, of all games: each is for eight cells, about a hundred bytes."""


def legal_json(position: Position) -> bytes:
    """The texts of the legal moves, ascending."""
    rules, mask = position.rules, position.legal_mask()
    groups = enumerate(mask.to_bytes((mask.bit_length() + 7) // 8, "little"))
    return b"[%b]" % b",".join([_part(rules, group, chosen) for group, chosen in groups if chosen])


@lru_cache(maxsize=PARTS)
def _part(rules: Rules, group: int, chosen: int) -> bytes:
    """The texts of cells 8 * group to 8 * group + 7 whose bits are set. None has characters that JSON escapes."""
    texts = rules.texts
    chosen_texts = ['"' + texts[8 * group + bit] + '"' for bit in range(8) if chosen >> bit & 1]
    return ",".join(chosen_texts).encode()
