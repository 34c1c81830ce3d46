"""The module `secrets`, but from a seed."""

from __future__ import annotations

import base64
from random import Random


class SeededSecrets:
    def __init__(self, random: Random) -> None:
        self._random = random

    def randbelow(self, number: int, /) -> int:
        return self._random.randrange(number)

    def randbits(self, number: int, /) -> int:
        return self._random.getrandbits(number)

    def token_hex(self, number: int, /) -> str:
        return self._random.randbytes(number).hex()

    def token_urlsafe(self, number: int, /) -> str:
        return base64.urlsafe_b64encode(self._random.randbytes(number)).rstrip(b"=").decode()
