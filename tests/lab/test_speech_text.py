"""The text of training speech: tests and their frames stay out, blocks survive a kill, the table is the reader's."""

from __future__ import annotations

import lzma
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

import pytest

from epicene.errors import InputError
from epicene.sets import files as sets
from epicene.types import Pair
from epicene_lab import corpus
from epicene_lab.speech import chosen, people, recipe, shards, text
from epicene_lab.speech.recipe import TextPlan
from epicene_lab.tables import table

SMALL = TextPlan(tatoeba=30, people=40, stated=20, parliament=5, heldout=10, sets=("simplegen",))


class Rote:
    """Answers in capitals, and stops the work when it was asked often enough."""

    identity = "rote"

    def __init__(self, most: int = 1000) -> None:
        self.asked: list[tuple[str, str]] = []
        self._most = most

    def translate(self, sources: Sequence[str], pair: Pair) -> Iterable[str]:
        if len(self.asked) >= self._most:
            raise KeyboardInterrupt
        self.asked += [(source, pair.target) for source in sources]
        return [f"{pair.target} {source.upper()}" for source in sources]


@pytest.fixture
def sources(tmp_path: Path) -> chosen.Sources:
    """Everyday sentences in two files, one sentence tested on, and a sitting of the parliament."""
    words = ["red", "green", "old", "new", "small", "big", "good", "bad", "warm", "cold"]
    things = ["house", "car", "dog", "tree", "book"]
    # Any two differ in two words, so that none is too near to one that is held out.
    places = [(i, j, (i + j) % 10, (i + 2 * j) % 5) for i in range(10) for j in range(5)]
    lines = [f"The {words[i]} {things[j]} stood behind a {words[k]} {things[m]}.\tx" for i, j, k, m in places]
    (tmp_path / "one.tsv").write_text("".join(f"{line}\n" for line in lines[:30]), encoding="utf-8")
    odd = ["It cost $5 in 1990.\tx", "The nurse screamed when she saw the mouse.\tx", "Ask the IRS about it.\tx"]
    (tmp_path / "two.tsv").write_text("".join(f"{line}\n" for line in lines[25:] + odd), encoding="utf-8")
    (tmp_path / "test.tsv").write_text("the red house STOOD behind a red house\tx\n", encoding="utf-8")
    said = {
        "en": "The old house stood behind. The new dog stood.",
        "it": "La casa vecchia stava dietro. Der neue Hund stand.",
    }
    for language, words_said in said.items():
        path = tmp_path / "europarl/proceedings/xml" / language / f"20040308.{language.upper()}.xml"
        path.parent.mkdir(parents=True)
        path.write_text(f'<text><intervention id="1"><p>{words_said}</p></intervention></text>', encoding="utf-8")
    return chosen.Sources((tmp_path / "one.tsv", tmp_path / "two.tsv"), tmp_path / "europarl", (tmp_path / "test.tsv",))


def test_frames_are_filled_with_people_and_verbs_that_agree() -> None:
    said = list(islice(people.make_sentences(1), 3000))
    assert not [line for line in said if re.search(r"[{}|_]|  |\ba [aeio]|\bthey (?:was|is|has|needs|wants)\b", line)]
    assert not [line for line in said if re.search(r"\b(?:s?he) (?:were|are|have|need|want)\b", line)]
    assert all(line[0].isupper() and line[-1] in ".?" for line in said)
    women, men = (sum(re.search(word, line.lower()) is not None for line in said) for word in (r"\bshe\b", r"\bhe\b"))
    assert women == pytest.approx(men, rel=0.1)
    assert len(set(said)) > 2990
    assert said == list(islice(people.make_sentences(1), 3000)) != list(islice(people.make_sentences(2), 3000))
    heard = " ".join(said).lower()
    taught = [row["concept"] for row in table("augmentation", "people.tsv")]
    assert not [person for person in taught if f" {person}" not in heard]


def test_runs_of_words_take_people_and_pronouns_for_one_another() -> None:
    first = people.list_spans("The construction worker thanked the nurse because she was kind.")
    assert first == people.list_spans("The CEO thanked the truck driver because he was kind.")
    assert "the PERSON thanked the PERSON because" in first
    assert first.isdisjoint(people.list_spans("The nurse was kind, so the construction worker thanked her twice."))


def test_no_sentence_about_people_is_winomts_or_in_its_words(published: Path) -> None:
    sets.add("winomt", published / "winomt")
    challenges = corpus.read_challenge_sentences("winomt")
    order = TextPlan(tatoeba=0, people=1500, stated=200, heldout=20, sets=("winomt", "simplegen"))
    rows, held = chosen.choose(order, chosen.Sources((), None, ()), lambda _: None)
    assert len(rows) > 1600
    spans = people.spans_of(challenges)
    near = {each for line in challenges for each in corpus.list_near(line)}
    said = [row.en for row in (*rows, *held)]
    assert not [line for line in said if not near.isdisjoint(corpus.list_near(line))]
    assert not [row.en for row in rows if row.kind == "people" and not spans.isdisjoint(people.list_spans(row.en))]
    held_near = {each for row in held for each in corpus.list_near(row.en)}
    assert not [row.en for row in rows if not held_near.isdisjoint(corpus.list_near(row.en))]


def test_what_cannot_be_said_alike_by_all_voices_is_left_out(sources: chosen.Sources) -> None:
    rows, held = chosen.choose(SMALL, sources, lambda _: None)
    said = Counter(row.kind for row in (*rows, *held))
    assert said["tatoeba"] == 30
    assert said["people"] == 40
    everyday = [row.en for row in (*rows, *held) if row.kind == "tatoeba"]
    assert len(set(everyday)) == 30
    assert not [
        line for line in everyday if "$" in line or "IRS" in line or "nurse" in line or "red house stood" in line
    ]
    # The second sentence of the debate was never translated.
    debates = [row for row in (*rows, *held) if row.kind == "parliament"]
    assert debates == [chosen.Row("parliament", "The old house stood behind.", it="La casa vecchia stava dietro.")]
    assert all(row.it for row in rows if row.kind == "stated")
    again = chosen.choose(SMALL, sources, lambda _: None)
    assert again == (rows, held)


def test_a_killed_translation_goes_on_and_asks_nothing_twice(
    sources: chosen.Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text, "_BLOCK", 25)
    folder, killed, again = tmp_path / "text", Rote(most=80), Rote()
    with pytest.raises(KeyboardInterrupt):
        text.prepare(folder, sources, SMALL, lambda _: None, killed)
    assert text.assemble(folder, lambda _: None) > 0  # what is done can be used by now
    count = text.prepare(folder, sources, SMALL, lambda _: None, again)
    blocks = len(list((folder / "taught").iterdir()))
    assert len(again.asked) < len(killed.asked) + len(again.asked) - 25
    whole = Rote()
    text.prepare(tmp_path / "undisturbed", sources, SMALL, lambda _: None, whole)
    assert set(whole.asked) == set(killed.asked) | set(again.asked)
    for name in (text.TEXT, text.HELD):
        assert (folder / name).read_bytes() == (tmp_path / "undisturbed" / name).read_bytes()
    found = shards.read_text(folder / text.TEXT)
    assert len(found["en"]) == count
    assert blocks == -(-(count + len(shards.read_text(folder / text.HELD)["en"])) // 25)
    debates = [row for row, said in enumerate(found["en"]) if said == "The old house stood behind."]
    for row, english in enumerate(found["en"]):
        assert found["de"][row] == ("" if row in debates else f"de {english.upper()}")
    with pytest.raises(InputError, match=r"begun with another plan \(people\); choose another folder"):
        text.prepare(folder, sources, TextPlan(**{**_fields(SMALL), "people": 41}), lambda _: None, again)


def test_a_translator_that_cannot_stop_is_not_learnt_from() -> None:
    row = chosen.Row("tatoeba", "We saw a dog there.", "Wir sahen dort einen Hund.", "Allí vimos un perro.")
    assert text._sound(row._replace(fr="Nous y avons vu un chien."))
    assert not text._sound(row._replace(fr="Nous nous nous nous avons vu."))
    assert not text._sound(row._replace(fr=""))


def test_the_bundled_translator_teaches(sources: chosen.Sources) -> None:
    teacher = text.bundled_teacher(beam=1)
    (said,) = teacher.translate(["The nurse lost her keys at the station."], Pair("en", "de"))
    assert said == "Die Krankenschwester hat am Bahnhof ihre Schlüssel verloren."


def test_plans_are_read_from_recipes(tmp_path: Path) -> None:
    shipped, spoken = recipe.load_plans()
    assert (shipped, spoken) == (TextPlan(), recipe.SpeakPlan())
    path = tmp_path / "mine.toml"
    path.write_text('[text]\npeople = 7\nsets = ["simplegen"]\n[speak]\npasses = 3\n', encoding="utf-8")
    mine, spoken = recipe.load_plans(path)
    assert (mine.people, mine.sets, spoken.passes) == (7, ("simplegen",), 3)
    for content, says in (
        ("[text]\npepole = 7\n", r"\[text\]: key 'pepole'"),
        ("[speak]\nnoisy = 2.0\n", r"noisy = 2\.0; expected a number from 0 to 1"),
        ("[speak]\npasses = 0\n", r"passes = 0; expected at least 1"),
        ("[text]\nshortest = 30\n", r"shortest = 30, longest = 20"),
        ("[spaek]\n", "key 'spaek'"),
    ):
        path.write_text(content, encoding="utf-8")
        with pytest.raises(InputError, match=says):
            recipe.load_plans(path)


def test_a_table_that_is_cut_off_is_refused_in_a_line(sources: chosen.Sources, tmp_path: Path) -> None:
    folder = tmp_path / "text"
    text.prepare(folder, sources, SMALL, lambda _: None, Rote())
    kept = (folder / "chosen.tsv.xz").read_bytes()
    (folder / "chosen.tsv.xz").write_bytes(kept[:-20])
    with pytest.raises(InputError, match=r"cannot read .*chosen\.tsv\.xz: .*; remove the folder and choose again"):
        text.assemble(folder, lambda _: None)
    (folder / "chosen.tsv.xz").write_bytes(lzma.compress(b"too\tfew\n"))
    with pytest.raises(InputError, match="expected"):
        text.assemble(folder, lambda _: None)


def _fields(given: TextPlan) -> dict[str, object]:
    return {name: getattr(given, name) for name in given.__dataclass_fields__}
