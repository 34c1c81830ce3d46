"""How badly scores predict what happened."""

from __future__ import annotations

from typing import Any

import numpy as np


def cross_entropy(scores: Any, chances: Any) -> float:
    """The mean over positions (float[n] logits, float[n] results or chances from 0 to 1), in nats; 0 for none."""
    return float(np.mean(np.logaddexp(0, scores) - chances * scores)) if len(chances) else 0.0
