"""What the fork server loads, so that no worker need load it again: every search of the roster, with its kernels.

They are only loaded: the forked workers compile them, or find the machine code in the cache.
"""

from __future__ import annotations

import warnings
from importlib import import_module

from engine.bots.roster import bots


def _load_searches() -> tuple[str, ...]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RuntimeWarning)
        for module in dict.fromkeys(entry.module for entry in bots()):
            try:
                import_module(module)
            except Exception as error:
                # The fork server must live: bots whose search does not load fail when they are asked.
                warnings.warn(f"The search {module} cannot be loaded: {error!r}", RuntimeWarning, stacklevel=1)
    return tuple(str(warning.message) for warning in caught if warning.category is RuntimeWarning)


WARNINGS = _load_searches()
"""What somebody should know about loading them, a sentence each, including kernels that cannot be cached."""
