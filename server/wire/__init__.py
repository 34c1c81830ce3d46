"""Every message on the wire, in both directions: noughts protocol, version 1.

One JSON object a text frame. `ClientMessage` and `ServerMessage` are closed: what is not here is refused or never
sent. Times are integer milliseconds, `ts` and `server_ms` Unix time. Absent and null mean the same.
`docs/protocol.md` tells what each message is for; `docs/protocol.schema.json` is generated from these files.

    fields     what a field holds, and the bounds of the protocol
    parts      what messages are made of
    clock      the bounds of a clock
    requests   client to server
    events     server to client, committed and numbered per room
    replies    server to client, everything else
    explain    what is wrong with a frame that is none of these
    codec      frames to messages and back
"""

from server.wire.clock import *  # noqa: F403
from server.wire.codec import *  # noqa: F403
from server.wire.events import *  # noqa: F403
from server.wire.fields import *  # noqa: F403
from server.wire.parts import *  # noqa: F403
from server.wire.replies import *  # noqa: F403
from server.wire.requests import *  # noqa: F403
