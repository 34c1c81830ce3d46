"""The address and names under which bots of earlier versions import the view of a room; now it is `client.sdk`."""

from client.sdk.errors import MissedEvents as Gap  # noqa: F401
from client.sdk.errors import ProtocolError as NotUnderstood  # noqa: F401
from client.sdk.room_view import *  # noqa: F403
from client.sdk.room_view import SequencedEvent as Committed  # noqa: F401
