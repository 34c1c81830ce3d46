"""Whatever protocol a file may name is spoken."""

from __future__ import annotations

import pytest

from server.workers.engines.engine import PROTOCOLS, Engine
from server.workers.engines.protocols import dialogue


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_each_protocol_has_a_dialogue_of_its_own(protocol: str) -> None:
    spoken = {type(dialogue(Engine("mine", "mine", "/", other))) for other in PROTOCOLS if other != protocol}
    assert type(dialogue(Engine("mine", "mine", "/", protocol))) not in spoken
