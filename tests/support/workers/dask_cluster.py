"""A Dask cluster whose workers are threads of this process, which starts in a moment; and certificates for one."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from server.workers.cluster import members
from tests.support import optional

TLS = Path(__file__).parents[2] / "data" / "tls"


@contextmanager
def two_threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two workers, in the place of whatever is connected to."""
    distributed = optional.module("distributed")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    one = distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0")
    client = distributed.Client(one)
    monkeypatch.setattr(members, "connected", lambda address: (one, client))
    yield one
    client.close()
    one.close()


def certificates() -> dict[str, Any]:
    """Dask's configuration with one certificate for all, made for these tests."""
    cert, key = str(TLS / "cert.pem"), str(TLS / "key.pem")
    parts = {
        f"{who}.{part}": file
        for who in ("scheduler", "worker", "client")
        for part, file in (("cert", cert), ("key", key))
    }
    return {f"distributed.comm.tls.{name}": file for name, file in {**parts, "ca-file": cert}.items()}
