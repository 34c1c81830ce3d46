"""The page's texts as the page gets them: the page's own, and those that the terminal says too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import client

I18N = Path(client.__file__).parent / "web" / "i18n"


def page_languages() -> list[str]:
    return sorted(path.stem for path in (I18N / "texts").glob("*.json"))


def page_texts(language: str) -> dict[str, Any]:
    files = [I18N / folder / f"{language}.json" for folder in ("texts", "shared")]
    own, shared = (json.loads(file.read_text(encoding="utf-8")) if file.exists() else {} for file in files)
    return {**own, **shared}
