"""The operating manual says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from server.config import SETTINGS, Setting

MANUAL = Path(__file__).parents[2] / "docs" / "operating.md"


def row(setting: Setting) -> str:
    default = setting.default
    if default in (None, ""):
        shown = ""
    elif isinstance(default, bool):
        shown = f"`{str(default).lower()}`"
    else:
        shown = f"`{default:g}`" if isinstance(default, float) else f"`{default}`"
    return f"| `{setting.name}` | `{setting.flag}` | `{setting.variable}` | {shown} | {setting.help} |"


def test_every_setting_is_documented() -> None:
    rows = re.findall(r"^\| `.*$", MANUAL.read_text(), flags=re.MULTILINE)
    assert rows == [row(setting) for setting in SETTINGS]


def test_every_metric_it_names_exists() -> None:
    source = "".join((MANUAL.parents[1] / "server" / name).read_text() for name in ("metrics.py", "app.py"))
    named = set(re.findall(r"`(noughts_\w+)`", MANUAL.read_text()))
    assert named, "the manual says what to watch"
    assert {name for name in named if name.removesuffix("_total") not in source} == set()
    counters = set(re.findall(r'CounterMetricFamily\(\s*"(\w+)"', source))
    assert named & counters == set(), "counters are shown with _total"
