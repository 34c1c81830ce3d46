"""The player's tokens, one for each server, in a file that only the user can read."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path


class BadTokenFile(Exception):
    """The file cannot be read or written; the message is one sentence."""


def default_path() -> Path:
    """In the user's folder for settings, as the XDG base directories say."""
    folder = os.environ.get("XDG_CONFIG_HOME", "")
    base = Path(folder) if os.path.isabs(folder) else Path.home() / ".config"
    return base / "noughts" / "tokens.json"


def read_token(path: Path, server: str) -> str | None:
    """The token kept for a server, None for none. Raises BadTokenFile."""
    return _read(path).get(server)


def keep_token(path: Path, server: str, token: str) -> None:
    """Keep a token for a server, and the other servers' as they are. Raises BadTokenFile."""
    tokens = _read(path) | {server: token}
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _replace(path, json.dumps(tokens, indent=2) + "\n")
    except OSError as error:
        raise BadTokenFile(f"Your identity cannot be kept in {path}: {_reason(error)}.") from None


def _replace(path: Path, text: str) -> None:
    """Write a file in one step: a crash leaves the old one. mkstemp makes it 0600."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".tokens")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _read(path: Path) -> dict[str, str]:
    try:
        tokens = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise BadTokenFile(f"Your identity cannot be read from {path}: {_reason(error)}.") from None
    except ValueError:
        raise BadTokenFile(f"{path} is not a file of tokens: move it away or name another with --token-file.") from None
    if not isinstance(tokens, dict) or not all(isinstance(token, str) for token in tokens.values()):
        raise BadTokenFile(f"{path} is not a file of tokens: move it away or name another with --token-file.")
    return tokens


def _reason(error: OSError) -> str:
    return os.strerror(error.errno).lower() if error.errno else str(error)
