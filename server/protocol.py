"""The old address of the protocol, which bots of earlier versions import."""

from server.wire import *  # noqa: F403
