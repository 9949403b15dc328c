"""One sentence and its translation: who was found, which step decided on which words, what spoke against it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from epicene.errors import EvidenceError, InputError
from epicene.languages.codes import pair as parse_pair
from epicene.output.table import Answer, Row, Table
from epicene.reader import DETECTORS
from epicene.reader.people import others_than, people, person_at
from epicene.store.records import verdict_line
from epicene.text import normalised
from epicene.types import Evidence, Item, Output, Person, Verdict


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Answer):
    """What is read of the people of one sentence."""

    verdicts: tuple[Verdict, ...]

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self.verdicts)

    def __len__(self) -> int:
        return len(self.verdicts)

    def __getitem__(self, index: int) -> Verdict:
        return self.verdicts[index]

    def tables(self) -> Iterable[Table]:
        """A few lines for each person."""
        return (Table(_describe(verdict) + ("\n" if verdict is not self.verdicts[-1] else "")) for verdict in self)

    def rows(self) -> list[Row]:
        """One row per person."""
        return [_row(verdict) for verdict in self]

    def records(self) -> list[dict[str, Any]]:
        """One object per person, as in ``verdicts.jsonl``."""
        return [verdict_line(verdict) for verdict in self]


def explain(source: str, langs: str, translation: str, person: str = "", detector: str = "reading") -> Explanation:
    """Explain the detected gender of everybody in an English sentence, or of the ``person`` only."""
    pair = parse_pair(langs)
    if pair.source != "en":
        raise InputError(f"people are found in English sentences; the pair {langs} translates from {pair.source}")
    if not translation.strip():
        raise EvidenceError("the translation is empty, so nobody can be read in it")
    persons = (person_at(source, person),) if person else people(source)
    if not persons:
        raise EvidenceError(f"no person was found in {source!r}; name the words that mean one, as in --person WORD")
    outputs = [_make_output(one, source, pair.target, normalised(translation)) for one in persons]
    return Explanation(tuple(DETECTORS.find(detector).build(pair.target).detect(outputs)))


def _make_output(person: Person, source: str, target: str, text: str) -> Output:
    others = others_than(person, source)
    return Output(Item(f"{person.text}@{person.start}", source, person, None, {}, others=others), "", target, text)


def _row(verdict: Verdict) -> Row:
    person = verdict.output.item.person
    return {
        "person": person.text,
        "kind": person.kind.value,
        "gender": verdict.gender.value,
        "step": verdict.step,
        "confidence": verdict.confidence,
        "words": _list_words(verdict.evidence),
        "against": _list_words(verdict.against),
        "inclusive": verdict.inclusive or "",
    }


def _describe(verdict: Verdict) -> str:
    person = verdict.output.item.person
    lines = [f"{person.text} ({person.kind}): {verdict.gender}"]
    if verdict.step != "none":
        sure = "" if verdict.confidence is None else f", confidence {verdict.confidence:.2f}"
        lines.append(f"  step     {verdict.step}{sure}")
        lines.append(f"  words    {_list_words(verdict.evidence)}")
    else:
        lines.append("  step     none: no word of the translation could be taken for the person")
    if verdict.inclusive:
        lines.append(f"  inclusive {verdict.inclusive}")
    if verdict.against:
        lines.append(f"  against  {_list_words(verdict.against)}")
    return "\n".join(lines)


def _list_words(evidence: tuple[Evidence, ...]) -> str:
    return ", ".join(f"{words.text} ({words.start}–{words.end})" for words in evidence) or "none"
