"""Who the player is: the tokens, one for each server, in a file that only the user can read, and a name at first."""

from __future__ import annotations

import json
import random
from pathlib import Path

import msgspec

from client.terminal import config
from client.terminal.language import t


class BadTokenFile(Exception):
    """The file cannot be read or written; the message is one sentence."""


def default_path() -> Path:
    return config.folder() / "tokens.json"


def read_token(path: Path, server: str) -> str | None:
    """The token kept for a server, None for none. Raises BadTokenFile."""
    return _read(path).get(server)


def keep_token(path: Path, server: str, token: str) -> None:
    """Keep a token for a server, and the other servers' as they are. Raises BadTokenFile."""
    tokens = _read(path) | {server: token}
    try:
        config.write_whole(path, json.dumps(tokens, indent=2) + "\n")
    except OSError as error:
        raise BadTokenFile(t("token.unkept", path=path, reason=config.reason(error))) from None


def guest_name() -> str:
    """The name of a new player who gave none; the server's would be English."""
    return t("profile.guest", number=random.randint(1000, 9999))


def _read(path: Path) -> dict[str, str]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise BadTokenFile(t("token.unread", path=path, reason=config.reason(error))) from None
    except (msgspec.MsgspecError, UnicodeError):
        raise BadTokenFile(t("token.other", path=path)) from None
