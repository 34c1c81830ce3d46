"""All attacks."""

from __future__ import annotations

from tests.attack import browsers, connections, frames, identity, reading, rooms, searches, texts

FAMILIES = (connections, frames, rooms, identity, reading, browsers, texts, searches)
"""Searches last: the games of bots that they begin go on for minutes, beside whatever attack comes next."""
ATTACKS = {attack.name: attack for family in FAMILIES for attack in family.ATTACKS}
