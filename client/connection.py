"""The old address of the connection, which bots of earlier releases import: `client.sdk` is the public face."""

from client.sdk.connection import *  # noqa: F403
