"""What a run ends with that finds something wrong."""

from __future__ import annotations


class Broken(Exception):
    """An invariant does not hold; `name` says which."""

    def __init__(self, name: str, sentence: str) -> None:
        super().__init__(f"{name}: {sentence}")
        self.name = name
        self.sentence = sentence
