"""What the tables of forms say of words whose gender is known: MT-GenEval's marked words; -v prints the misses.

``right``: only the true gender; ``open``: one form for both, or readings of both; ``wrong``: only the other gender;
``none``: nothing. Then the speed, the time to load and the size of each table.
"""

from __future__ import annotations

import os
import re
import sys
import tarfile
import time
from collections import Counter
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from epicene.detectors.reading.forms import Forms, forms, languages
from epicene.types import Gender

_MARKED = re.compile(r"<([FM])>(.*?)</[FM]>")
_WORD = re.compile(r"[^\W\d_][\w'’\-\u064b-\u0652\u0900-\u097f]*")
_GENDERS = {"F": Gender.FEMININE, "M": Gender.MASCULINE}


def marked(folder: Path, language: str) -> Iterator[tuple[str, Gender]]:
    """The words of the annotated references that change with the person's gender, and that gender."""
    with tarfile.open(folder / "mt-geneval.tar.gz") as archive:
        for gender in ("feminine", "masculine"):
            name = f"sentences/dev/annotated/geneval-sentences-{gender}-dev.en_{language}.{language}"
            member = next((each for each in archive.getmembers() if each.name.endswith(name)), None)
            text = archive.extractfile(member).read().decode() if member else ""  # type: ignore[union-attr]
            for mark, words in _MARKED.findall(text):
                for word in _WORD.findall(words):
                    yield word, _GENDERS[mark]


def said(table: Forms, word: str, gender: Gender) -> str:
    """How the table's answer compares with a word's true gender."""
    shows = table.shows(word)
    genders = {show.gender for show in shows if not show.fixed and show.gender is not Gender.NEUTRAL}
    if genders == {gender}:
        return "right"
    if gender in genders or None in genders:
        return "open"
    return "wrong" if genders else "none"


def speed(language: str) -> tuple[float, float, int]:
    """Milliseconds of processor time to load, thousands of words a second once they were met, bytes."""
    forms.cache_clear()
    start = time.process_time()
    table = forms(language)
    load = 1000 * (time.process_time() - start)
    words = [f"{letter}{ending}" for letter in "abcdefgh" for ending in ("nte", "ora", "ами", "in")] * 2000
    for word in words[:32]:
        table.shows(word)
    start = time.perf_counter()
    for word in words:
        table.shows(word)
    size = len((resources.files("epicene.detectors.tables.forms") / f"{language}.xz").read_bytes())
    return load, len(words) / (time.perf_counter() - start) / 1000, size


def main() -> None:
    """Print a line for each language."""
    folder = Path(os.environ["EPICENE_TEST_DATA"])
    chosen = [word for word in sys.argv[1:] if word != "-v"] or languages()
    print("      marked  right   open  wrong   none   load ms  k words/s  bytes")
    for language in chosen:
        load, pace, size = speed(language)
        table = forms(language)
        counts: Counter[str] = Counter()
        missed: Counter[tuple[str, str, str]] = Counter()
        for word, gender in marked(folder, language):
            outcome = said(table, word, gender)
            counts[outcome] += 1
            missed[outcome, gender.value, word] += 1
        total = counts.total()
        shares = (
            "".join(f"{100 * counts[name] / total:7.1f}" for name in ("right", "open", "wrong", "none"))
            if total
            else 28 * " "
        )
        print(f"{language:4}{total:8}{shares}{load:10.0f}{pace:11.0f}{size:9}")
        if "-v" in sys.argv:
            for (outcome, gender, word), count in missed.most_common():
                if outcome != "right":
                    print(f"    {outcome:6}{gender:10}{count:4} {word:24} {table.shows(word)}")


if __name__ == "__main__":
    main()
