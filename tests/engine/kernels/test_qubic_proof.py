from __future__ import annotations

from random import Random

import numpy as np

from engine.kernels import qubic_proof
from engine.rules.lines import cells_of, mask_of
from tests.support.engine.games import flat_rules


def test_images_of_a_position_have_one_key() -> None:
    game = flat_rules("qubic")
    proof = qubic_proof.proof(game.symmetries, 64, 64)
    cells = Random(5).sample(range(64), 11)
    x, o = mask_of(cells[:6]), mask_of(cells[6:])
    qubic_proof.begin(proof, np.uint64(x), np.uint64(o))
    for image in game.symmetries:
        turned = [mask_of(image[cell] for cell in cells_of(marks)) for marks in (x, o)]
        assert qubic_proof.node_of(proof, np.uint64(turned[0]), np.uint64(turned[1])) == 0
    assert qubic_proof.node_of(proof, np.uint64(o), np.uint64(x)) == -1
