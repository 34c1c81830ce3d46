"""All attacks."""

from __future__ import annotations

from tests.attack import browsers, connections, frames, identity, reading, rooms, searches, texts

FAMILIES = (connections, frames, rooms, identity, reading, searches, browsers, texts)
ATTACKS = {attack.name: attack for family in FAMILIES for attack in family.ATTACKS}
