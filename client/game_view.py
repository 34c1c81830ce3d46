"""The old address of the view of a room, which bots of earlier releases import: `client.sdk` is the public face."""

from client.sdk.room_view import *  # noqa: F403
