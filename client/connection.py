"""The address and names under which bots of earlier versions import the connection; now it is `client.sdk`."""

from client.sdk.address import *  # noqa: F403
from client.sdk.connection import *  # noqa: F403
from client.sdk.connection import ConnectionState as State  # noqa: F401
from client.sdk.errors import MissedEvents as Gap  # noqa: F401
from client.sdk.errors import ProtocolError as NotUnderstood  # noqa: F401
from client.sdk.errors import RequestRefused as Refused  # noqa: F401
from client.sdk.errors import ServerUnreachable as Unreachable  # noqa: F401
from client.sdk.room import *  # noqa: F403
from client.sdk.room import RoomUpdate as Update  # noqa: F401
from client.sdk.room_view import SequencedEvent as Committed  # noqa: F401
from client.sdk.websocket import *  # noqa: F403
from server.wire import *  # noqa: F403
