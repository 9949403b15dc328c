"""Text by part and language, packed: a part's English lines once, and beside them its lines in each other language."""

from __future__ import annotations

import bz2
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from epicene.errors import InputError

TEXT = "text"


def write(folder: Path, part: str, sides: Mapping[str, Sequence[str]]) -> int:
    """Write a part; its size in bytes."""
    place = folder / TEXT
    place.mkdir(parents=True, exist_ok=True)
    size = 0
    for language, lines in sides.items():
        content = bz2.compress("".join(f"{line}\n" for line in lines).encode(), 9)
        (place / f"{part}.{language}.bz2").write_bytes(content)
        size += len(content)
    return size


def read(folder: Path) -> Iterator[tuple[str, str, list[str], list[str]]]:
    """Part, target language, English lines and their translations."""
    paths = sorted((folder / TEXT).glob("*.en.bz2"))
    if not paths:
        raise InputError(f"{folder / TEXT} holds no PART.en.bz2; run: python -m epicene_lab.recipes.bundled choose")
    for path in paths:
        part = path.name.removesuffix(".en.bz2")
        english = _lines(path)
        for other in sorted(path.parent.glob(f"{part}.*.bz2")):
            language = other.name.split(".")[-2]
            if language != "en":
                translations = _lines(other)
                if len(translations) != len(english):
                    raise InputError(f"{other}: {len(translations)} lines, but {path.name} has {len(english)}")
                yield part, language, english, translations


def _lines(path: Path) -> list[str]:
    try:
        return bz2.decompress(path.read_bytes()).decode().split("\n")[:-1]
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {error}") from None
