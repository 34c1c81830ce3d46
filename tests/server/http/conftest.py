from __future__ import annotations

import pytest

from tests.support.http.desk import HttpDesk, game_text, game_texts


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> HttpDesk:
    monkeypatch.setattr("server.http.endpoints.games.public_text", game_text)
    monkeypatch.setattr("server.http.endpoints.games.public_texts", game_texts)
    return HttpDesk()
