"""Is a model that was read back from CTranslate2's 8 bits the same? Translations of both, sentence by sentence.

``python -m benchmarks.origin [EVERY]``: every so manieth sentence of SimpleGEN (20), ``bundled``, en-de, beam 5: the
float weights by the lab's own search against CTranslate2 computing in int8 and in float32.
"""

from __future__ import annotations

import sys

import numpy as np
import torch

from epicene.flow.plan import parse_pair
from epicene.spec import Options
from epicene.systems.local.ctranslate2 import CTranslate2
from epicene_lab import origin, pieces
from epicene_lab.corpus import challenge_sentences
from epicene_lab.model import Transformer
from epicene_lab.search import decode
from epicene_models import BUNDLED as FOLDER

PAIR = parse_pair("en-de")


def main() -> None:
    """Print how many translations are the same."""
    lines = challenge_sentences("simplegen")[:: int(sys.argv[1]) if sys.argv[1:] else 20]
    found = origin.opened(FOLDER)
    model = Transformer(found.shape).eval()
    model.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in found.weights.items()})
    tool = pieces.loaded(found.pieces)
    sources = [np.array(each) for each in pieces.encode(tool, lines, PAIR.target)]
    ours = [tool.decode([int(piece) for piece in each]) for each in decode(model, sources, 5)]
    for compute in ("int8", "float32"):
        system = CTranslate2(FOLDER, Options("ctranslate2", {"compute": compute}))
        same = sum(one == other for one, other in zip(ours, system.translate(lines, PAIR), strict=True))
        print(f"CTranslate2 in {compute}: {same} of {len(lines)} translations are the same, {same / len(lines):.1%}")


if __name__ == "__main__":
    main()
