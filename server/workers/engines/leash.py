"""An engine's process on its leash: a group, limits, an environment and a folder of its own, and bounded output.

It ends with us, whatever becomes of us: on Linux its keeper sees to that, elsewhere its stdin ends.
"""

from __future__ import annotations

import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

from engine.bots.fault import BotFault
from server.workers.engines.engine import CONNECTED, PORT, PROTOCOLS, Engine
from server.workers.engines.files import folder, program
from server.workers.engines.isolation import walled

LINE_BYTES: Final = 1 << 16
"""Most bytes of one line."""
TURN_BYTES: Final = 1 << 20
"""Most bytes that an engine may write before its move."""
_TAIL_BYTES: Final = 1 << 12
"""How much of the end of its stderr is kept, for the sentence on its end."""
_SHOWN_CHARACTERS: Final = 160
_READ_BYTES: Final = 1 << 16
_STATUS_S: Final = 0.5
"""How long an engine that has closed its stdout may take to end by itself, so that its exit status is known."""
_END_S: Final = 1.0
"""How long its keeper may take to end it and all that it has started, before the group is killed."""
_SCRATCH: Final = "noughts-engine-"


class LeashedProcess:
    """Raises CannotRun where there is no such program. Ended by `end`, which may be called again."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        where, command = folder(engine), _command(engine)
        _sweep()
        self._scratch = tempfile.mkdtemp(prefix=f"{_SCRATCH}{os.getpid()}-")
        limits = f"{engine.memory_mb}, {engine.cpu_s}, {engine.file_mb}"
        code = (
            f"import sys; sys.path[:] = {sys.path!r}; from server.workers.engines.launch import main; "
            f"main({os.getpid()}, {limits}, {where!r}, {walled(command, where, self._scratch)!r})"
        )
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", code],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=_environment(self._scratch),
                start_new_session=True,
                bufsize=0,
            )
        except OSError:
            shutil.rmtree(self._scratch, ignore_errors=True)
            raise
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._stdin, self._stdout, self._stderr = (
            stream.fileno() for stream in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._selector = selectors.DefaultSelector()
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)
        self._unsent = bytearray()
        self._heard = bytearray()
        self._tail = b""
        self._turn_bytes = 0
        self._is_over = False

    @property
    def pid(self) -> int:
        return self._process.pid

    def begin_turn(self) -> None:
        """From now on it may write another TURN_BYTES."""
        self._turn_bytes = 0

    def say(self, line: str) -> None:
        """Never waits: what the engine does not read goes out while its lines are waited for."""
        self._unsent += line.encode() + b"\n"
        self._write()

    def line(self, timeout_s: float) -> bytes | None:
        """The next line, without the line end; None if none comes in time. Raises BotFault at its end or a flood."""
        until_s = time.monotonic() + timeout_s
        while True:
            end = self._heard.find(b"\n")
            if end > LINE_BYTES or (end < 0 and len(self._heard) > LINE_BYTES):
                raise BotFault("crash", f"was ended, since it wrote a line of more than {LINE_BYTES >> 10} KB")
            if end >= 0:
                line = bytes(self._heard[:end])
                del self._heard[: end + 1]
                return line.removesuffix(b"\r")
            if self._turn_bytes > TURN_BYTES:
                raise BotFault("crash", f"was ended, since it wrote more than {TURN_BYTES >> 10} KB before its move")
            left_s = until_s - time.monotonic()
            # It may write to its stderr without an end, and then something happens all the time.
            if not self._wait(max(0.0, left_s)) or (left_s <= 0 and b"\n" not in self._heard):
                return None

    def last_words(self) -> str:
        """The last line of its stderr, ready to follow a sentence; empty where it wrote none."""
        said = _last_line(self._tail)
        return f": {said}" if said else ""

    def half_line(self) -> str:
        """What it has written of a line without an end; empty where there is none."""
        return _last_line(bytes(self._heard.rpartition(b"\n")[2]))

    def end(self) -> None:
        """End it and all that it has started, at once."""
        if self._is_over:
            return
        self._is_over = True
        if sys.platform == "linux":  # its keeper ends what has left the group, too
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_END_S)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._selector.close()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert stream is not None
            with suppress(OSError):
                stream.close()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _wait(self, timeout_s: float) -> bool:
        """Whether anything happened."""
        ready = self._selector.select(timeout_s)
        for key, _ in ready:
            if key.fd == self._stdin:
                self._write()
            elif key.fd == self._stderr:
                self._read_stderr()
            else:
                self._read()
        return bool(ready)

    def _read(self) -> None:
        data = os.read(self._stdout, _READ_BYTES)
        if not data:
            raise BotFault("crash", self._ending())
        self._turn_bytes += len(data)
        self._heard += data

    def _read_stderr(self) -> None:
        data = os.read(self._stderr, _READ_BYTES)
        if data:
            self._tail = (self._tail + data)[-_TAIL_BYTES:]
        else:
            self._selector.unregister(self._stderr)

    def _write(self) -> None:
        try:
            sent = os.write(self._stdin, self._unsent)
        except BlockingIOError:
            sent = 0
        except BrokenPipeError:  # its end is heard on its stdout
            sent = len(self._unsent)
        del self._unsent[:sent]
        waits = self._stdin in self._selector.get_map()
        if self._unsent and not waits:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        elif not self._unsent and waits:
            self._selector.unregister(self._stdin)

    def _ending(self) -> str:
        """How it came to its end, for a sentence that begins with its name."""
        try:
            status = self._process.wait(_STATUS_S)
        except subprocess.TimeoutExpired:
            return "closed its output"
        with suppress(OSError):  # what it said last has come before its end
            self._tail = (self._tail + os.read(self._stderr, _READ_BYTES))[-_TAIL_BYTES:]
        if status == -signal.SIGXCPU:
            return f"used up its {self._engine.cpu_s} s of processor time"
        how = f"was ended by signal {-status}" if status < 0 else f"ended with exit status {status}"
        return f"{how}{self.last_words()}"


def _last_line(data: bytes) -> str:
    lines = [line.strip() for line in data.decode(errors="replace").splitlines() if line.strip()]
    # Nothing that would clear a screen, or turn the rest of the sentence around.
    return "".join(one if one.isprintable() else "?" for one in lines[-1][:_SHOWN_CHARACTERS]) if lines else ""


def _command(engine: Engine) -> list[str]:
    command = [program(engine), *engine.arguments]
    if not PROTOCOLS[engine.protocol].connects:
        return command
    code = (
        f"import sys; sys.path[:] = {sys.path!r}; from server.workers.engines.relay import main; "
        f"main({PORT!r}, {CONNECTED!r}, sys.argv[1:])"
    )
    return [sys.executable, "-I", "-S", "-c", code, *command]


def _environment(scratch: str) -> dict[str, str]:
    """Of our environment only where programs are, and where the machine code of our searches is, which `noughts brain`
    loads."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8",
        "HOME": scratch,
        "TMPDIR": scratch,
        "NUMBA_CACHE_DIR": os.path.abspath(os.environ.get("NUMBA_CACHE_DIR") or user_cache_path("noughts")),
    }


@cache
def _sweep() -> None:
    """Folders that engines have left whose owners were killed."""
    for path in Path(tempfile.gettempdir()).glob(f"{_SCRATCH}*-*"):
        owner = path.name.removeprefix(_SCRATCH).partition("-")[0]
        if owner.isascii() and owner.isdigit() and not _lives(int(owner)):
            shutil.rmtree(path, ignore_errors=True)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
