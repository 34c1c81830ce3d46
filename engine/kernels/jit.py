"""How every kernel is compiled, and where the machine code is kept.

Compiled code is cached on disk, so that the first compile happens once. numba looks at the time stamp of a function's
own file only, so the folder's name holds a hash of all kernel sources: after a change of any of them nothing old is
found. `NUMBA_CACHE_DIR` names another place; `NUMBA_DISABLE_JIT=1` runs the kernels as plain Python, slowly.
"""

from __future__ import annotations

import hashlib
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba import extending
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
    """The folder for machine code of these sources, made if need be; None where no such folder can be written."""
    folder = _BASE / f"kernels-{_digest()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        warnings.warn(
            f"Compiled searches cannot be kept in {folder} ({error.strerror}), so each start compiles them again: "
            "name a folder that can be written in NUMBA_CACHE_DIR.",
            RuntimeWarning,
            stacklevel=2,
        )
        return None
    return folder


_folder = cache_folder()
if _folder is not None:
    _config.CACHE_DIR = str(_folder)

DISABLED = bool(_config.DISABLE_JIT)
"""Kernels run as plain Python."""

overload: Any = extending.overload
intrinsic: Any = extending.intrinsic
# Without numba's runtime (`_nrt`) kernels cannot make arrays, and do not count references: they run 4 times as fast.
_OPTIONS: dict[str, Any] = {"_nrt": False, "cache": _folder is not None, "error_model": "numpy", "nogil": True}


class _Cache:
    """numba's cache of one function, which a damaged file, a full disk or two writers at once do no harm."""

    def __init__(self, cache: Any, folder: Path) -> None:
        self._cache = cache
        self._folder = folder

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    def load_overload(self, signature: Any, context: Any) -> Any:
        try:
            return self._cache.load_overload(signature, context)
        except Exception:
            # Cut off by a power failure, say. It is compiled again, and then written anew.
            Path(self._cache._cache_file._index_path).unlink(missing_ok=True)
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        try:
            with _locked(self._folder / "lock"):
                self._cache.save_overload(signature, data)
        except OSError as error:
            warnings.warn(f"Compiled searches cannot be kept ({error.strerror}).", RuntimeWarning, stacklevel=2)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """One writer at a time: numba reads the list of what there is, and writes it again with its own."""
    with path.open("w") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def jit(function: Function) -> Function:
    """Compile a kernel: no Python objects, no bounds checks, C's division."""
    return _compiled(function)


def inlined(function: Function) -> Function:
    """As `jit`, for what is called in an inner loop: a call would copy every array of a board and of a stack."""
    return _compiled(function, forceinline=True)


def _compiled(function: Function, **options: Any) -> Function:
    compiled: Any = numba.njit(**{**_OPTIONS, **options})(function)
    if _folder is not None and not DISABLED:
        compiled._cache = _Cache(compiled._cache, _folder)
    return cast(Function, compiled)
