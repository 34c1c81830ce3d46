from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.ladder.config import LIST


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "night.toml"
    path.write_text(LIST)
    return path
