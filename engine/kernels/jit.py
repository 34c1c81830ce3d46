"""How every kernel is compiled, and where the machine code is kept.

Compiled code is cached on disk, so that the first compile happens once. numba checks only the time stamp of the
function's own file, so the folder's name holds a hash of all kernel sources: a change of any of them finds nothing old.
`NUMBA_CACHE_DIR` names another place; `NUMBA_DISABLE_JIT=1` runs the kernels as plain Python, slowly.
"""

from __future__ import annotations

import atexit
import hashlib
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import extending, types
from platformdirs import user_cache_path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

Function = TypeVar("Function", bound=Callable[..., Any])

_config: Any = numba.config
_BASE = Path(_config.CACHE_DIR or user_cache_path("noughts"))


def _digest() -> str:
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path | None:
    """The folder for machine code of these sources, made if need be; None where no such folder can be written.

    If it can only be read, as inside bubblewrap, this process has a copy: numba asks to write where it reads.
    """
    folder = _BASE / f"kernels-{_digest()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        with suppress(OSError):
            return _copied(folder)
        warnings.warn(
            f"Compiled searches cannot be kept in {folder} ({error.strerror}), so each start compiles them again: "
            "name a folder that can be written in NUMBA_CACHE_DIR.",
            RuntimeWarning,
            stacklevel=2,
        )
        return None
    return folder


def _copied(folder: Path) -> Path:
    """A copy of some megabytes, for as long as this process lives. Raises OSError."""
    if not folder.is_dir():
        raise FileNotFoundError(folder)
    home = tempfile.mkdtemp(prefix="noughts-kernels-")
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    return shutil.copytree(folder, Path(home) / folder.name)


_folder = cache_folder()

DISABLED = bool(_config.DISABLE_JIT)
"""Kernels run as plain Python."""
if DISABLED:
    np.seterr(over="ignore")  # words wrap around, as compiled

intrinsic: Any = extending.intrinsic
_unliteral: Any = types.unliteral
# Without numba's runtime kernels cannot make arrays and count no references, so that they run 4 times as fast. numba
# has no public option for it.
_OPTIONS: dict[str, Any] = {"_nrt": False, "cache": _folder is not None, "error_model": "numpy", "nogil": True}
# The wrappers convert every array of a board from a Python object and from C: of a function that only kernels call they
# are never used, and cost more to compile than the function. The code is part of the callers', which are in the cache.
_INLINED: dict[str, Any] = {
    "cache": False,
    "forceinline": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


class _Cache:
    """numba's cache of one function, unharmed by damaged files, full disks and several writers at once."""

    def __init__(self, cache: Any, folder: Path) -> None:
        self._cache = cache
        self._folder = folder

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    def load_overload(self, signature: Any, context: Any) -> Any:
        try:
            return self._cache.load_overload(signature, context)
        except Exception:
            # A file that a power failure cut off, for example. The function is compiled and saved again.
            with suppress(OSError), _locked(self._folder / "lock"):
                self._cache.flush()
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        try:
            with _locked(self._folder / "lock"):
                self._cache.save_overload(signature, data)
        except OSError as error:
            warnings.warn(f"Compiled searches cannot be kept ({error.strerror}).", RuntimeWarning, stacklevel=2)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Lets one writer in at a time, since numba reads the index, adds its own entry and writes all of it again."""
    with path.open("w") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def jit(function: Function) -> Function:
    """Compile a kernel that Python calls: no Python objects, no bounds checks, C's division."""
    return _compiled(function, no_cfunc_wrapper=True)


def inlined(function: Function) -> Function:
    """Like `jit`, for functions that kernels alone call: a call would copy every array of a board and of a stack.

    Python cannot call them, unless kernels run as plain Python.
    """
    return _compiled(function, **_INLINED)


def offer(operation: Callable[..., Any], choose: Callable[..., Any]) -> None:
    """Have kernels inline what `choose` gives for the types of an operation's arguments, a plain function."""
    # Not strict: `choose` need not name the arguments.
    options: Any = {"error_model": "numpy", "_nrt": False, **_INLINED}
    extending.overload(operation, strict=False, jit_options=options)(choose)


def _compiled(function: Function, **asked: Any) -> Function:
    options = {**_OPTIONS, **asked}
    with _cached_in(_folder):
        compiled: Any = numba.njit(**options)(function)
    if DISABLED:
        return cast(Function, compiled)
    _take_literals_as_numbers(compiled)
    if _folder is not None and options["cache"]:
        compiled._cache = _Cache(compiled._cache, _folder)  # numba takes no cache from outside
    return cast(Function, compiled)


def _take_literals_as_numbers(compiled: Any) -> None:
    """Compile a function once for `f(0)` and `f(ply)`: numba takes 0 for a type of its own, and makes a second copy."""
    template = compiled.get_call_template

    def of_numbers(arguments: Any, named: Any) -> Any:
        by_name = {name: _unliteral(argument) for name, argument in named.items()}
        return template([_unliteral(argument) for argument in arguments], by_name)

    compiled.get_call_template = of_numbers


@contextmanager
def _cached_in(folder: Path | None) -> Iterator[None]:
    """Sets the folder while numba makes a function: it has one setting for the whole process."""
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(folder or before)
    try:
        yield
    finally:
        _config.CACHE_DIR = before
