"""The server's settings: one table from which flags, environment, TOML file and documentation come.

A flag overrides the environment (`NOUGHTS_PORT`), which overrides the file (`port = 9000`), which overrides the
default.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from server.console.files import named_file
from server.console.finite import FiniteRange
from server.play.rate_limit import plain_address
from server.typed_toml import no_setting, parse


@dataclass(frozen=True, slots=True)
class Setting:
    """`flag_value` is what a flag without a value means."""

    name: str
    type: click.ParamType[Any]
    default: Any
    help: str
    flag_value: str | None = None

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        return f"NOUGHTS_{self.name.upper()}"


class Host(click.ParamType[str]):
    """An address or a name. An empty value would mean all addresses, which nobody intends by leaving it out."""

    name = "text"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> str:
        if not str(value).strip():
            self.fail("it is empty: write 127.0.0.1, or 0.0.0.0 for all addresses.")
        return str(value)


class Boolean(click.types.BoolParamType):
    """Like click's, except that it refuses an empty text, which click takes as false."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> bool:
        meant = self.str_to_bool(value) if str(value).strip() else None
        return meant if meant is not None else self.fail(f"{value!r} is neither true nor false.")


class Addresses(click.ParamType[str]):
    """IP addresses with commas."""

    name = "addresses"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> str:
        for address in _listed(str(value)):
            try:
                ip_address(address)
            except ValueError:
                self.fail(f"{address!r} is not an IP address; separate several with commas, as in 127.0.0.1,::1.")
        return str(value)


class Origins(click.ParamType[str]):
    """Origins of web pages with commas: a scheme and a host, perhaps a port."""

    name = "origins"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> str:
        for origin in _listed(str(value)):
            if not _ORIGIN.fullmatch(origin):
                self.fail(f"{origin!r} is not an origin; separate several with commas, as in https://example.org.")
        return str(value)


_ORIGIN = re.compile(r"https?://[^/\s?#;']+/?", re.IGNORECASE)


def _default_workers() -> int:
    return max(1, (os.cpu_count() or 1) - 1)


_NOT_NEGATIVE = FiniteRange(min=0)

SETTINGS: tuple[Setting, ...] = (
    Setting("host", Host(), "127.0.0.1", "Address to listen on."),
    Setting("port", click.IntRange(0, 65535), 8765, "Port to listen on; 0 picks a free one."),
    Setting("db", click.STRING, "noughts.db", "Database file; created if it does not exist."),
    Setting("workers", click.IntRange(1, 1024), None, "Search processes; by default one fewer than processors."),
    Setting("worker_nice", click.IntRange(0, 19), 10, "Niceness of search processes, from 0 to 19."),
    Setting(
        "worker_session",
        Boolean(),
        True,
        "Run searches in their own sessions, so that Linux gives them a lower priority.",
    ),
    Setting("queue", click.IntRange(1, 1_000_000), 1000, "Most searches that may wait for a worker."),
    Setting("queue_person", click.IntRange(1, 1_000_000), 8, "Most waiting searches of one player's games."),
    Setting("queue_address", click.IntRange(1, 1_000_000), 64, "Most waiting searches of one address's players."),
    Setting(
        "think_ms", click.IntRange(1, 3_600_000), 30_000, "Longest time for a bot's move, whatever limit is requested."
    ),
    Setting("pace_ms", click.IntRange(0, 60_000), 250, "Shortest time between moves when two bots play."),
    Setting(
        "max_rooms", click.IntRange(1, 1_000_000), 20_000, "Most rooms awake at a time; those that nobody is in sleep."
    ),
    Setting("connection_rate", _NOT_NEGATIVE, 50.0, "Messages a second from a connection; 0 for no limit."),
    Setting("connection_burst", _NOT_NEGATIVE, 200.0, "Messages at once from a connection or player."),
    Setting("player_rate", _NOT_NEGATIVE, 100.0, "Messages a second from a player; 0 for no limit."),
    Setting("chat_rate", _NOT_NEGATIVE, 1.0, "Lines of chat a second from a player; 0 for no limit."),
    Setting(
        "address_rate",
        _NOT_NEGATIVE,
        50.0,
        "New connections a second from an address, and half of what its requests may cost; 0 for no limit.",
    ),
    Setting("address_open", click.IntRange(min=0), 500, "Open connections from an address; 0 for no limit."),
    Setting("address_rooms", click.IntRange(min=0), 2000, "Unfinished games made from an address; 0 for no limit."),
    Setting("address_players", _NOT_NEGATIVE, 120.0, "New players an hour from an address; 0 for no limit."),
    Setting(
        "trusted_proxy",
        Addresses(),
        "",
        "Proxies, separated by commas, whose X-Forwarded-For is trusted; without a value: 127.0.0.1,::1.",
        flag_value="127.0.0.1,::1",
    ),
    Setting("allow_origin", Origins(), "", "Origins of other sites, separated by commas, whose pages may connect."),
    Setting(
        "allow_embed", Origins(), "", "Origins of other sites, separated by commas, that may show games in frames."
    ),
    Setting("ladder", click.STRING, "", "Configuration of a ladder to play in the background."),
    Setting("engines", click.STRING, "", "TOML file of other people's engines, which play as bots."),
    Setting(
        "cluster",
        click.STRING,
        "",
        "Dask cluster for searches of 100 ms or more: tcp://HOST:PORT of its scheduler, or local:N processes here.",
    ),
    Setting(
        "ping_s",
        FiniteRange(min=1),
        20.0,
        "Seconds between pings; a client that has not answered one by the next is dropped.",
    ),
    Setting("log_level", click.Choice(["debug", "info", "warning", "error"]), "info", "Lowest level that is logged."),
    Setting("log_format", click.Choice(["auto", "json", "text"]), "auto", "JSON, one object a line, or text."),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """See SETTINGS, name for name."""

    host: str = "127.0.0.1"
    port: int = 8765
    db: str = "noughts.db"
    workers: int = 1
    worker_nice: int = 10
    worker_session: bool = True
    queue: int = 1000
    queue_person: int = 8
    queue_address: int = 64
    think_ms: int = 30_000
    pace_ms: int = 250
    max_rooms: int = 20_000
    connection_rate: float = 50.0
    connection_burst: float = 200.0
    player_rate: float = 100.0
    chat_rate: float = 1.0
    address_rate: float = 50.0
    address_open: int = 500
    address_rooms: int = 2000
    address_players: float = 120.0
    trusted_proxy: str = ""
    allow_origin: str = ""
    allow_embed: str = ""
    ladder: str = ""
    engines: str = ""
    cluster: str = ""
    ping_s: float = 20.0
    log_level: str = "info"
    log_format: str = "auto"

    @property
    def trusted_proxies(self) -> frozenset[str]:
        """Plain addresses."""
        return _plain_addresses(self.trusted_proxy)

    @property
    def allowed_origins(self) -> frozenset[str]:
        return _origins(self.allow_origin)

    @property
    def embedders(self) -> frozenset[str]:
        return _origins(self.allow_embed)


class _SettingOption(click.Option):
    """An error about its value names where the value was given: by a flag, in the environment or in the file."""

    def get_error_hint(self, ctx: click.Context | None) -> str:
        source = None if ctx is None or self.name is None else ctx.get_parameter_source(self.name)
        if source == ParameterSource.ENVIRONMENT:
            return str(self.envvar)
        if source == ParameterSource.DEFAULT_MAP:
            return f"{self.name} in the file"
        return super().get_error_hint(ctx)


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """A click command's function with an option for each setting; it is called with `Settings`."""

    def run(**values: Any) -> None:
        values.pop("config", None)
        values["workers"] = values["workers"] or _default_workers()
        command(Settings(**values))

    run.__doc__ = command.__doc__
    for setting in reversed(SETTINGS):
        more: dict[str, Any] = (
            {"is_flag": False, "flag_value": setting.flag_value} if setting.flag_value is not None else {}
        )
        run = click.option(
            setting.flag,
            setting.name,
            type=setting.type,
            default=setting.default,
            envvar=setting.variable,
            show_default=setting.default not in (None, ""),
            help=setting.help,
            cls=_SettingOption,
            **more,
        )(run)
    return click.option(
        "--config",
        type=click.STRING,
        envvar="NOUGHTS_CONFIG",
        is_eager=True,
        expose_value=False,
        callback=_read_file,
        help="TOML file with any of these settings, their names written with underscores.",
    )(run)


def _read_file(context: click.Context, parameter: click.Parameter, path: str | None) -> None:
    if path is None:
        return
    with named_file(path):
        values = parse(Path(path).read_text(encoding="utf-8"))
    known = {setting.name for setting in SETTINGS}
    for name, value in values.items():
        if name not in known:
            raise click.BadParameter(f"{path}: {no_setting(name, known)}")
        if not isinstance(value, str | int | float):
            raise click.BadParameter(f"{path} sets {name!r} to a value that is not text, a number or a boolean.")
    # As text, so that each is read as a flag's value is: 9000.5 is no port, true no number.
    context.default_map = {name: str(value) for name, value in values.items()}


def _origins(text: str) -> frozenset[str]:
    return frozenset(origin.rstrip("/").lower() for origin in _listed(text))


@lru_cache(maxsize=8)  # at every request
def _plain_addresses(text: str) -> frozenset[str]:
    return frozenset(map(plain_address, _listed(text)))


def _listed(text: str) -> frozenset[str]:
    return frozenset(part.strip() for part in text.split(",") if part.strip())
