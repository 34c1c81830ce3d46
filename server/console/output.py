"""What commands print with `--json`."""

from __future__ import annotations

from msgspec import Struct


class Output(Struct, forbid_unknown_fields=True):
    """One answer, or a part of it. What is not known is null."""
