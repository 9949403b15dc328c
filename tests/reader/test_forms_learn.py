"""The learner of suffixes gives every word of a lexicon its label, and unknown words that of their ending."""

from __future__ import annotations

import lzma
from pathlib import Path

from epicene.reader.forms import END
from epicene_lab.recipes.reading.forms_learn import Entry, Rule, code, labels, learn, rewriting, write

LEXICON = {
    "maestra": "Nfs+..", "maestro": "Nms+..", "alumna": "Nfs+..", "alumno": "Nms+..", "mano": "Nfs-..",
    "hermano": "Nms+..", "habla": "", "problema": "Nms-..", "tema": "Nms-..", "rama": "Nfs-..",
}  # fmt: skip


def label(word: str, rules: dict[str, Rule]) -> str:
    keys = [END + word, *(word[start:] for start in range(len(word) + 1))]
    return next(rules[key].label for key in keys if key in rules)


def test_no_word_of_the_lexicon_is_forgotten() -> None:
    rules = {rule.suffix: rule for rule in learn(LEXICON, 4)}
    assert {word: label(word, rules) for word in LEXICON} == LEXICON


def test_an_unknown_word_gets_the_label_of_its_ending() -> None:
    rules = {rule.suffix: rule for rule in learn(LEXICON, 4)}
    assert label("ministro", rules) == "Nms+.."
    assert label("teorema", rules) == "Nms-.."
    assert all(0 < rule.confidence < 1 for rule in rules.values())


def test_counterparts_are_written_as_letters_cut_and_added() -> None:
    assert rewriting("abogada", "abogado") == "1>o"
    assert rewriting("Arzt", "Ärztin") == "=Ärztin"
    assert code(Entry("lehrer", "N", "m", "s", "+", other="lehrerin")) == "Nms+..:0>in"


def test_readings_of_a_form_are_put_together_and_rare_things_left_out() -> None:
    entries = [Entry("cura", "N", "m", "s", "+"), Entry("cura", "N", "f", "s", "-"), Entry("xyz", "N", "m", "s", "-")]
    assert labels(entries, frozenset(("cura",))) == {"cura": "Nms+.. Nfs-.."}


def test_a_table_is_written_the_same_each_time(tmp_path: Path) -> None:
    tables = {"words": (learn(LEXICON, 4), LEXICON)}
    size = write(tmp_path / "a.xz", tables)
    write(tmp_path / "b.xz", tables)
    assert size == len((tmp_path / "a.xz").read_bytes())
    assert (tmp_path / "a.xz").read_bytes() == (tmp_path / "b.xz").read_bytes()
    assert lzma.decompress((tmp_path / "a.xz").read_bytes()).split(b"\n")[1].startswith(b"words ")
