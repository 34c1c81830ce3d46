"""What patterns on flat boards are worth, see `engine.kernels.patterns`."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from engine.kernels import patterns
from engine.kernels.patterns import COMPLETING, FORCING, FOUR_THREE, TWO_THREES, WINNING

# In thousandths of the logit of winning, for each class of a mark that can be made, from none to five in one direction,
# and for each kind of move: fitted by logistic regression to 7,208 positions of 400 games of its own, 3,000 nodes a
# move, and rounded; of kinds that hardly occur in quiet positions they are guesses.
_OWN: Final = (0, 0, 28, 58, 58, 146, 146, 146)
_OWN_KINDS: Final = {FORCING: 110, TWO_THREES: 250, FOUR_THREE: 400, WINNING: 600, COMPLETING: 600}
_OTHERS: Final = (0, 0, 18, 57, 42, 146, 146, 146)
_OTHERS_KINDS: Final = {FORCING: 50, TWO_THREES: 60, FOUR_THREE: 450, WINNING: 600, COMPLETING: 600}
# For the order in which moves are tried.
_PROMISES: Final = (0, 5, 20, 24, 60, 50, 100, 100)
_PROMISES_OF_KINDS: Final = {TWO_THREES: 200, FOUR_THREE: 600, WINNING: 3_000, COMPLETING: 10_000}


@lru_cache(maxsize=1)
def worth() -> Any:
    """int64[patterns]: see PatternBoard."""
    return patterns.by_classes(_OWN, _OWN_KINDS) + (patterns.by_classes(_OTHERS, _OTHERS_KINDS) << 32)


@lru_cache(maxsize=1)
def promise() -> Any:
    """int64[patterns]: see PatternBoard."""
    return patterns.by_classes(_PROMISES, _PROMISES_OF_KINDS)
