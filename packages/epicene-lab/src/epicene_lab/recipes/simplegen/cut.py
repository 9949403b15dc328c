"""Less of a prepared text: all pairs of the first source, and every so manieth of what follows (the Parliament's)."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from epicene.errors import InputError
from epicene.files import written
from epicene_lab import arrays
from epicene_lab.prepare import CORPUS, PIECES

RECORD = "text.json"


def cut(folder: Path, whole: Mapping[str, int], every: int, out: Path) -> Iterator[str]:
    """Write such a copy of prepared corpora; ``whole``: how many pairs at the beginning of each language's are kept."""
    record: dict[str, Any] = {"every": every, "whole": dict(whole), "sha256": {}}
    for language, first in whole.items():
        place = folder / language
        if not (place / CORPUS).is_file():
            raise InputError(
                f"{folder} holds no {language}/{CORPUS}; give what epicene_lab.recipes.simplegen prepare wrote"
            )
        kept = _kept(arrays.load(place / CORPUS), first, every, place / CORPUS)
        for path in sorted(place.glob(f"*/{CORPUS}")):
            _copied(path, out / language / path.parent.name / CORPUS)
        for name in (PIECES, "quality.npz"):
            _copied(place / name, out / language / name)
        arrays.save(out / language / CORPUS, kept, arrays.PACKED)
        for path in sorted((out / language).rglob(CORPUS)):
            record["sha256"][str(path.relative_to(out))] = hashlib.sha256(_content(path)).hexdigest()
        yield f"{language}: {int(kept['pairs'])} pairs: the first {first}, and every {every}. of the rest"
    with written(out / RECORD) as stream:
        json.dump(record, stream, indent=1)


def _kept(found: dict[str, Any], first: int, every: int, path: Path) -> dict[str, Any]:
    import numpy as np

    pairs = int(found["pairs"])
    if not 0 < first <= pairs or every < 1:
        raise InputError(f"{path} has {pairs} pairs; cannot keep the first {first} and every {every}. of the rest")
    there = np.arange(pairs) < first
    there[first::every] = True
    kept: dict[str, Any] = {"pairs": np.array(int(there.sum()))}
    for name in (key for key in found if f"{key}.lengths" in found):
        lengths = found[f"{name}.lengths"]
        kept[name] = found[name][np.repeat(there, lengths)]
        kept[f"{name}.lengths"] = lengths[there]
    return kept


def _content(path: Path) -> bytes:
    """What a corpus holds, however its file is packed."""
    found = arrays.load(path)
    return b"".join(name.encode() + found[name].tobytes() for name in sorted(found))


def _copied(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
