"""The old address of the network bot, which bots of earlier releases import: `client.sdk` is the public face."""

from client.sdk.bot import *  # noqa: F403
