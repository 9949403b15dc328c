"""fastText's ``.bin`` models (extra ``fasttext``): a word's vector with the share of its letter groups.

fastText's library takes the whole process down with it when a file is broken, so it runs in a process of its own.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from epicene.embeddings.source import Row
from epicene.errors import InputError, MissingExtraError

MAGIC = (793712314).to_bytes(4, "little")

_READER = """
import fasttext, json, sys
model = fasttext.load_model(sys.argv[1])
places = {word: model.get_word_id(word) for word in json.load(sys.stdin)}
found = [(word, place, model.get_word_vector(word).tolist()) for word, place in places.items() if place >= 0]
json.dump(found, sys.stdout)
"""


def rows(path: Path, wanted: Collection[str]) -> Iterator[Row]:
    """The rows of the wanted words that are in the vocabulary; vectors are not made up for those that are not."""
    import numpy as np

    if importlib.util.find_spec("fasttext") is None:
        raise MissingExtraError(f"the fastText model {path}", "fasttext")
    command = [sys.executable, "-P", "-c", _READER, str(path)]
    done = subprocess.run(command, check=False, input=json.dumps(sorted(wanted)), capture_output=True, text=True)
    if done.returncode != 0:
        reason = (done.stderr.strip().splitlines() or [f"it ended with code {done.returncode}"])[-1]
        raise InputError(f"{path}: fastText cannot read it ({reason}); fetch it again")
    for word, place, vector in json.loads(done.stdout):
        yield Row(word, f"{path}: row {place + 1}", np.array(vector))
