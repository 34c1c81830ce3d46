"""The old address of the protocol, which bots of earlier releases import."""

from server.wire import *  # noqa: F403
