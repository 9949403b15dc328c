"""The aligner finds what fast_align's model finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from epicene.sets.simplegen import SET
from epicene.sets.winomt.aligner import Aligner
from epicene.types import Pair


def test_a_word_is_told_from_those_it_always_stands_beside() -> None:
    pairs = [
        (["the", "cat", "sleeps"], ["die", "Katze", "schläft"]),
        (["the", "dog", "sleeps"], ["der", "Hund", "schläft"]),
        (["the", "cat", "eats"], ["die", "Katze", "frisst"]),
        (["the", "dog", "eats"], ["der", "Hund", "frisst"]),
    ]
    assert Aligner(pairs * 5).best(0) == [0, 1, 2]


def test_it_agrees_with_fast_align(published: Path, tmp_path: Path) -> None:
    systran_align = pytest.importorskip("systran_align", reason="the peer has wheels for few platforms")
    lines = (published / "simplegen" / "opus-mt.en-de.txt").read_text(encoding="utf-8").splitlines()
    pairs = [
        (item.source.lower().rstrip(".!").split(), line.lower().rstrip(".!").split())
        for item, line in zip(SET.items(Pair("en", "de")), lines, strict=True)
    ]
    text = tmp_path / "pairs"
    text.write_text("".join(f"{' '.join(s)} ||| {' '.join(t)}\n" for s, t in pairs), encoding="utf-8")
    forward, backward = str(tmp_path / "forward"), str(tmp_path / "backward")
    systran_align.generate_alignment_probabilities(str(text), forward, backward, favor_diagonal=True)
    peer = systran_align.Aligner(forward, backward)
    ours = Aligner(pairs)
    same = total = 0
    for number, item in enumerate(SET.items(Pair("en", "de"))):
        source, target = pairs[number]
        word = len(item.source[: item.person.start + len(item.person.text)].split()) - 1
        links = {t for s, t in peer.align(source, target)["alignments"] if s == word}
        if links:
            total += 1
            same += any(ours.best(number)[place] == word for place in links)
    assert same / total > 0.9
