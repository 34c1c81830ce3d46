"""Child processes on the event loop: started, heard, limited and ended without threads, locks or polling.

A child is forked by a fork server of ours (`server.workers.fork_server`), which has loaded what it needs, and holds one
end of a socket. The loop sees its messages there, and its end as the end of the file; the fork server then tells the
exit status. Nothing is shared but a slot of memory that belongs to this child alone.
"""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from server.workers.fork_server import (
    ENDED,
    FROM_THE_TERMINAL,
    LENGTH,
    LOADED,
    MAX_MESSAGE,
    READY,
    REFUSED,
    REPLY,
    REQUEST,
    STARTED,
    Call,
    framed,
)
from server.workers.patience import Patience
from server.workers.slot import share

log = logging.getLogger(__name__)

STATUS_S: Final = 0.02
"""How long a child's end waits for its exit status when somebody waits for another child: a fork server that hangs
never reports one."""
ORPHANED: Final = 8
"""How often work begins again because its child died with the fork server, which is hardly its own fault."""
FIRST_PAUSE_S: Final = 0.05
LONGEST_PAUSE_S: Final = 5.0
_READ_BYTES: Final = 1 << 16
_TICKS: Final = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Ending:
    """How a child came to its end."""

    status: int | None = None
    """The exit status, negative for a signal; None where it is not known."""
    hung: bool = False
    """Whether it was killed because it had not done in time what it should."""
    refused: int | None = None
    """Number of the error for which it could not be forked."""
    orphaned: bool = False
    """Whether its fork server has died, and it with it, whatever it was doing."""

    def __str__(self) -> str:
        if self.hung:
            return "did not answer in time and was killed"
        if self.refused is not None:
            return f"could not be forked: {os.strerror(self.refused)}"
        if self.orphaned:
            return "died with the process that had forked it"
        return "died" if self.status is None else f"died with exit status {self.status}"


class _Watch:
    """Over a child under a limit that counts its processor time."""

    def __init__(self, bound_ms: int, now_s: float, used_ms: int | None) -> None:
        self._bound_ms = bound_ms
        self._since_s = now_s
        self._used_ms = used_ms
        self._patience = Patience()

    def left_ms(self, now_s: float, used_ms: int | None) -> float:
        """When to look again; 0 or less if the child has hung."""
        used = None if used_ms is None or self._used_ms is None else used_ms - self._used_ms
        return self._patience.left_ms(self._bound_ms, (now_s - self._since_s) * 1000, used)


class Child:
    """One process as its owner sees it: whole messages in both directions, a slot of memory, a limit, an end.

    `on_message` gets each message and `on_end` how it ended, once, and nothing follows; neither is called from within a
    method, nor after `kill`.
    """

    def __init__(
        self,
        server: ForkServer,
        number: int,
        connected: socket.socket,
        slot: Any,
        on_message: Callable[[Any], None],
        on_end: Callable[[Ending], None],
    ) -> None:
        connected.setblocking(False)
        self.pid: int | None = None
        """Process id; None before it is known."""
        self.slot = slot
        self._server = server
        self._loop = server.loop
        self._number = number
        self._socket = connected
        self._on_message = on_message
        self._on_end = on_end
        self._received = bytearray()
        self._unsent = bytearray()
        self._timer: asyncio.TimerHandle | None = None
        self._watch: _Watch | None = None
        self._over = False
        self._is_orphaned = False
        self._is_open = True
        self._loop.add_reader(connected.fileno(), self._read)

    @property
    def is_open(self) -> bool:
        """True until its end has come, which is told when its exit status is known."""
        return self._is_open

    def send(self, message: object) -> None:
        """Never waits. A child that is gone hears nothing; `on_end` says that it is gone. Raises ValueError."""
        if self._is_open:
            self._unsent += framed(message)
            self._write()

    def limit(self, seconds: float | None, *, patient: bool = False) -> None:
        """A child that lives this long from now without another limit has hung and is killed; None is no limit.

        With `patient` it has not hung while it uses processor time, until that is as long: on a busy machine it gets
        little. One whose end has come has not hung, however long its exit status takes.
        """
        if self._is_open:
            now_s = self._loop.time()
            self._watch = _Watch(round(seconds * 1000), now_s, self._used_ms()) if seconds and patient else None
            self._set_timer(None if seconds is None else self._loop.call_later(seconds, self._too_late))

    def kill(self) -> None:
        """Kill it at once, without a word to the owner."""
        if not self._over:
            self._forget()
            self._server.kill(self._number, self.pid)

    def exited(self, ending: Ending) -> None:
        """Called by the fork server: the process is gone. What it sent before is heard first."""
        while self._is_open and self._read():
            pass
        self._end(ending)

    def orphan(self) -> None:
        """Called by the fork server, which dies: this process will too, and nobody tells its exit status."""
        self._is_orphaned = True
        if not (self._is_open or self._over):
            self._await_status()

    def _read(self) -> bool:
        """Whether there was anything."""
        try:
            data = self._socket.recv(_READ_BYTES)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self._close()
            self._await_status()
            return False
        self._received += data
        self._hear()
        return True

    def _await_status(self) -> None:
        wait_s = 0 if self._is_orphaned else self._server.status_s
        self._set_timer(self._loop.call_later(wait_s, self._end, Ending()))

    def _hear(self) -> None:
        while not self._over and len(self._received) >= LENGTH.size:
            (length,) = LENGTH.unpack_from(self._received)
            end = LENGTH.size + length
            if length <= MAX_MESSAGE and len(self._received) < end:
                return
            try:
                if length > MAX_MESSAGE:
                    raise ValueError(f"a message of {length} bytes")
                message = pickle.loads(memoryview(self._received)[LENGTH.size : end])
            except Exception as error:  # whatever a process that has gone wrong may write
                log.warning("a child process wrote what cannot be read", extra={"error": repr(error)})
                self.kill()
                self._on_end(Ending())
                return
            del self._received[:end]
            self._on_message(message)

    def _write(self) -> None:
        try:
            sent = self._socket.send(self._unsent)
        except BlockingIOError:
            sent = 0
        except OSError:
            sent = len(self._unsent)
        del self._unsent[:sent]
        if self._unsent:
            self._loop.add_writer(self._socket.fileno(), self._write)
        else:
            self._loop.remove_writer(self._socket.fileno())

    def _too_late(self) -> None:
        timer = self._timer
        while self._is_open and self._read():  # the loop may be late, and not the child
            pass
        if self._timer is not timer or self._over:
            return
        left_ms = 0.0 if self._watch is None else self._watch.left_ms(self._loop.time(), self._used_ms())
        if left_ms > 0:
            self._set_timer(self._loop.call_later(left_ms / 1000, self._too_late))
            return
        self.kill()
        self._on_end(Ending(hung=True))

    def _used_ms(self) -> int | None:
        return None if self.pid is None else cpu_ms(self.pid)

    def _end(self, ending: Ending) -> None:
        if not self._over:
            self._forget()
            self._on_end(replace(ending, orphaned=self._is_orphaned))

    def _forget(self) -> None:
        self._over = True
        self._set_timer(None)
        self._close()
        self._server.forget(self._number)

    def _set_timer(self, timer: asyncio.TimerHandle | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = timer

    def _close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._loop.remove_reader(self._socket.fileno())
            self._loop.remove_writer(self._socket.fileno())
            self._socket.close()


class ForkServer:
    """A fork server and its children. It is started when a child is first asked for, and again if it has died.

    `preload` names the modules that it loads first. Start it from a thread that lasts: it dies with that.
    """

    def __init__(
        self,
        preload: Sequence[str],
        loop: asyncio.AbstractEventLoop,
        *,
        status_s: float = STATUS_S,
        environment: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """`environment` is added to ours."""
        self._environment = environment
        self.loop = loop
        self.status_s = status_s
        self._preload = tuple(preload)
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None
        self._received = bytearray()
        self._children: dict[int, Child] = {}
        self._numbers = 0
        self._to_load: Callable[[], None] | None = None
        self._on_loaded: Callable[[bool], None] | None = None
        """while it is loading for the first time"""
        self._loading = 0
        """what it was told to load, its modules included, and has not reported as done"""

    @property
    def is_loaded(self) -> bool:
        """Whether it has nothing to do but to fork."""
        return self._socket is not None and not self._loading

    @property
    def pid(self) -> int | None:
        """None while there is none."""
        return self._process.pid if self._process is not None else None

    def fork(
        self,
        entry: Callable[..., None],
        arguments: tuple[object, ...],
        slot: type[Any] | None,
        on_message: Callable[[Any], None],
        on_end: Callable[[Ending], None],
    ) -> Child:
        """A child that calls `entry`, a function of a module, with its channel, its slot, and the arguments.

        It comes once the fork server is loaded; what is sent to it before waits. Raises OSError when there are no
        descriptors or processes to be had.
        """
        if self._socket is None:
            self._start()
        self._numbers += 1
        ours, theirs = socket.socketpair()
        memory, shared = -1, None
        try:
            if slot is not None:
                shared, memory = share(slot)
            descriptors = [theirs.fileno()] if slot is None else [theirs.fileno(), memory]
            self._ask(self._numbers, Call(entry, arguments, slot), descriptors)
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
            if memory >= 0:
                os.close(memory)
        child = self._children[self._numbers] = Child(self, self._numbers, ours, shared, on_message, on_end)
        return child

    def load(self, entry: Callable[[], None], on_loaded: Callable[[bool], None]) -> None:
        """Call a function of a module in the fork server, for all children to come; it forks none meanwhile.

        `on_loaded` is called once, with False where the fork server died of it: the next one does without. Raises
        OSError.
        """
        self._to_load, self._on_loaded = entry, on_loaded
        if self._socket is None:
            self._start()
        else:
            self._ask_to_load()

    def restart(self) -> None:
        """Restart a fork server that hangs. Its children die with it, as if by themselves."""
        if self._socket is not None:
            self._lost("the fork server hangs and is started again")

    def close(self) -> None:
        """Kill it and all children without a word to their owners."""
        for child in list(self._children.values()):
            child.kill()
        self._end()

    # For its children

    def forget(self, number: int) -> None:
        self._children.pop(number, None)

    def kill(self, number: int, pid: int | None) -> None:
        """Kill a child; one whose process is not known yet is killed as soon as it is."""
        if pid is not None:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        try:
            program = (
                f"import sys; sys.path[:] = {sys.path!r}; from server.workers.fork_server import main; "
                f"main({theirs.fileno()}, {os.getpid()}, {self._preload!r})"
            )
            with _interrupts_wait():
                self._process = subprocess.Popen(
                    [sys.executable, "-c", program],
                    stdin=subprocess.DEVNULL,
                    pass_fds=[theirs.fileno()],
                    env={**os.environ, **self._environment},
                )
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        ours.setblocking(False)
        self._socket = ours
        self._loading = 1
        self.loop.add_reader(ours.fileno(), self._read)
        if self._to_load is not None:
            self._ask_to_load()

    def _ask_to_load(self) -> None:
        assert self._to_load is not None
        self._loading += 1
        self._ask(0, Call(self._to_load, (), None), [])

    def _ask(self, number: int, call: Call, descriptors: list[int]) -> None:
        assert self._socket is not None
        data = pickle.dumps(call, pickle.HIGHEST_PROTOCOL)
        message = REQUEST.pack(number, len(data)) + data
        try:
            if descriptors:
                socket.send_fds(self._socket, [message], descriptors)
            else:
                self._socket.send(message)
        except OSError:  # it is gone; or it has taken none of the last hundreds, and hangs
            self._lost()
            raise

    def _read(self) -> None:
        assert self._socket is not None
        try:
            data = self._socket.recv(_READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._lost()
            return
        self._received += data
        whole = len(self._received) // REPLY.size * REPLY.size
        replies = [REPLY.unpack_from(self._received, start) for start in range(0, whole, REPLY.size)]
        del self._received[:whole]
        for reply in replies:
            self._take(*reply)

    def _take(self, kind: int, number: int, value: int) -> None:
        child = self._children.get(number)
        if kind == STARTED:
            if child is None:  # it was killed meanwhile
                self.kill(number, value)
            else:
                child.pid = value
        elif kind == READY:
            self._loading -= 1
        elif kind == LOADED:
            self._loading -= 1
            self._tell_loaded(True)
        elif child is not None and kind in (ENDED, REFUSED):
            child.exited(Ending(status=value) if kind == ENDED else Ending(refused=value))

    def _lost(self, what: str = "the fork server has died and is started again") -> None:
        """The fork server has died, or will now; its children die with it, and report that by themselves."""
        log.warning(what, extra={"pid": self.pid})
        for child in self._children.values():
            child.orphan()
        self._end()
        if self._on_loaded is not None:
            self._to_load = None
            self._tell_loaded(False)

    def _tell_loaded(self, loaded: bool) -> None:
        tell, self._on_loaded = self._on_loaded, None
        if tell is not None:
            tell(loaded)

    def _end(self) -> None:
        if self._socket is None or self._process is None:
            return
        self.loop.remove_reader(self._socket.fileno())
        self._socket.close()
        self._process.kill()
        self._process.wait()
        self._socket = self._process = None
        self._received.clear()


@contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Signals of the terminal are blocked in whatever is started meanwhile, until it ignores them itself."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, FROM_THE_TERMINAL)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Pauses:
    """Pauses before the next attempt at what has failed: none at first, then longer ones, up to a bound."""

    def __init__(self) -> None:
        self.failures = 0

    def after_failure(self) -> float:
        """Seconds."""
        self.failures += 1
        if self.failures == 1:
            return 0.0
        return min(LONGEST_PAUSE_S, FIRST_PAUSE_S * (1 << min(self.failures - 2, 20)))

    def reset(self) -> None:
        self.failures = 0


def cpu_ms(pid: int) -> int | None:
    """Processor time that a process has used; None where that is not to be known."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) * 1000 // _TICKS
