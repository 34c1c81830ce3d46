"""Where a cluster is: `tcp://HOST:PORT` or `tls://HOST:PORT` of a Dask scheduler, or `local:N`, N processes here."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

import click

MOST_LOCAL: Final = 1024
CERTIFICATES: Final = tuple(f"distributed.comm.tls.{part}" for part in ("ca-file", "client.cert", "client.key"))


class CannotPlayThere(click.ClickException):
    """No worker of the cluster can be used; one sentence says why and what would be right."""


class Misused(CannotPlayThere):
    """No cluster can do what was asked for."""

    exit_code = 2


def checked(address: str) -> str:
    """The same address. Raises CannotPlayThere for one that names no cluster, or if Dask is not installed."""
    if processes(address) is None and not address.startswith(("tcp://", "tls://")):
        raise Misused(f"{address!r} names no cluster: write tcp://HOST:PORT, tls://HOST:PORT or local:N.")
    if find_spec("distributed") is None:
        raise CannotPlayThere("A cluster needs Dask, which is not installed: install noughts with its extra cluster.")
    return address


def processes(address: str) -> int | None:
    """How many a cluster on this machine is to have; None for one that is elsewhere. Raises CannotPlayThere."""
    kind, _, rest = address.partition(":")
    if kind != "local":
        return None
    if not rest.isascii() or not rest.isdigit() or not 1 <= int(rest) <= MOST_LOCAL:
        raise Misused(f"{address!r} names no cluster: write local:N with N from 1 to {MOST_LOCAL}.")
    return int(rest)


def with_certificates(address: str) -> str:
    """The same address. Loads Dask; raises ValueError for TLS where Dask's configuration names no certificates."""
    if address.startswith("tls:"):
        security: Any = import_module("distributed.security").Security()
        if security.get_connection_args("client")["ssl_context"] is None:
            raise ValueError(f"name certificates in Dask's configuration: {', '.join(CERTIFICATES)}")
    return address


def silent(address: str, error: Exception) -> str:
    """The sentence for a scheduler that does not answer."""
    reason = str(error).splitlines()[0] if str(error) else "no answer"
    return f"No Dask scheduler answers at {address}: {reason.rstrip('.')}."
