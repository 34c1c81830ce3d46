"""The address and names under which bots of earlier versions import the network bot; now it is `client.sdk`."""

from client.sdk.bot import *  # noqa: F403
from client.sdk.errors import RequestRefused as Refused  # noqa: F401
