"""How well I, you, we and they are read: pronouns of ``open``, GEST's masculine rates, dialogues of WMT24.

``python -m benchmarks.speakers [open] [gest] [dialogue] [LANGUAGE...]``; -v prints the misses of ``open``, the cells of
GEST outside their interval, and readings that contradict a dialogue's source. GEST's published rates are the centres of
Agresti-Coull intervals over the sentences that the authors' own rules read as masculine or feminine.
"""

from __future__ import annotations

import csv
import difflib
import gzip
import io
import os
import re
import sys
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from epicene.reader.clauses import passages
from epicene.reader.dialogue import told
from epicene.reader.grammar import grammar_of
from epicene.reader.persons import Speakers
from epicene.reader.words import Decision
from epicene.stats.rates import wilson
from epicene.types import Gender

OPEN = ("es", "fr", "it", "pt", "ru", "de")
GEST = ("cs", "pl", "ru", "sk", "sl", "hr", "sr", "uk", "be")
DIALOGUE = ("es", "cs")
SYSTEMS = ("Claude-3.5", "Llama3-70B", "ONLINE-W", "IKUN-C")
EVERY = 20  # of the dialogues one in so many
_FIRST = re.compile(r"\b(?:I|me|my|mine|myself)\b")
_SAID = re.compile(r"\b(I|you)(?='m|'re| am| are)")
_TOLD = {"he": Gender.MASCULINE, "man": Gender.MASCULINE, "she": Gender.FEMININE, "woman": Gender.FEMININE}


class Case(NamedTuple):
    """A pronoun of a source, and its translation."""

    source: str
    pronoun: str
    start: int
    translation: str
    expected: Gender


def outcome(case: Case, reading: Decision) -> str:
    """What a reading is worth."""
    if reading.gender in (Gender.NEUTRAL, Gender.UNKNOWN):
        return "neutral" if reading.gender is Gender.NEUTRAL else "unread"
    return "right" if reading.gender is case.expected else "wrong"


def open_cases(folder: Path, language: str) -> Iterator[Case]:
    """The pronouns of the published half of ``open``: each row as men and as women."""
    with gzip.open(folder / "open" / f"en-{language}.tsv.gz", "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            for gender in (Gender.MASCULINE, Gender.FEMININE):
                if row["kind"] == "pronoun":
                    yield Case(row["source"], row["focus"], int(row["start"]), row[gender.value], gender)


def show(name: str, language: str, cases: list[Case], verbose: bool) -> None:
    """Prints one line, and the misses where asked."""
    grammar = grammar_of(language)
    assert grammar is not None
    speakers = Speakers(grammar)
    readings = [speakers.read(case.source, case.pronoun, case.start, case.translation) for case in cases]
    counts = Counter(outcome(case, reading) for case, reading in zip(cases, readings, strict=True))
    low, high = wilson(counts["right"], len(cases))
    shares = "".join(f"{100 * counts[each] / len(cases):>9.1f}" for each in ("right", "wrong", "neutral", "unread"))
    print(f"{name:<20}{language:<4}{shares}{len(cases):>6}  [{100 * low:.1f}, {100 * high:.1f}]", flush=True)
    for case, reading in zip(cases, readings, strict=True):
        if verbose and outcome(case, reading) != "right":
            words, others = ([each.text for each in each_of] for each_of in (reading.evidence, reading.against))
            print(f"  {outcome(case, reading)} {case.expected} [{case.pronoun}] {reading.step} {words} {others}")
            print(f"     {case.source}\n     {case.translation}")


def archive(path: Path) -> dict[str, str]:
    """The files of an archive by their path."""
    with tarfile.open(path) as opened:
        return {
            member.name.removeprefix("./"): file.read().decode("utf-8")
            for member in opened
            if member.isfile() and (file := opened.extractfile(member)) is not None
        }


def gest_sources(files: dict[str, str], translated: set[str]) -> list[tuple[str, int]]:
    """GEST's sentences as they were when they were translated (1.1 mends slips of 1.0), with their stereotype."""
    rows = list(csv.DictReader(io.StringIO(files["gest_1.1.csv"])))
    free = sorted(translated - {row["sentence"] for row in rows})
    found: list[tuple[str, int]] = []
    for row in rows:
        sentence = row["sentence"]
        near = [sentence] if sentence in translated else difflib.get_close_matches(sentence, free, 1, 0.6)
        found.extend((each, int(row["stereotype"])) for each in near)
    return found


def gest(folder: Path, wanted: list[str], verbose: bool) -> None:
    """Prints in how many cells of each language the masculine rate lies within the published interval."""
    files = archive(folder / "gest" / "gest.tar.gz")
    cells: dict[tuple[str, str], dict[int, tuple[float, float]]] = defaultdict(dict)
    with (folder / "gest" / "published.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            cells[row["target"], row["system"]][int(row["stereotype"])] = (float(row["low"]), float(row["high"]))
    sources: list[tuple[str, int]] = []
    print(f"{'GEST':<6}{'cells within':>13}{'of':>5}{'masculine':>11}{'feminine':>10}{'neutral':>9}{'undet.':>8}")
    for language in wanted:
        within = total = 0
        genders: Counter[Gender] = Counter()
        for (target, system), published in cells.items():
            if target != language:
                continue
            table = files[f"translations/{system}/{language}/translations.csv"]
            translations = {row["from"]: row["to"] for row in csv.DictReader(io.StringIO(table))}
            sources = sources or gest_sources(files, set(translations))
            rates = gest_rates(language, sources, translations, genders)
            outside = {each: rates[each] for each, (low, high) in published.items() if not low <= rates[each] <= high}
            within, total = within + len(published) - len(outside), total + len(published)
            if verbose and outside:
                print(f"  {system}: {', '.join(f'{each}: {outside[each]:.3f} {published[each]}' for each in outside)}")
        counts = "".join(f"{genders[each]:>{width}}" for each, width in zip(_ORDER, (11, 10, 9, 8), strict=True))
        print(f"{language:<6}{within:>13}{total:>5}{counts}", flush=True)


_ORDER = (Gender.MASCULINE, Gender.FEMININE, Gender.NEUTRAL, Gender.UNKNOWN)


def gest_rates(
    language: str, sources: list[tuple[str, int]], translations: dict[str, str], genders: Counter[Gender]
) -> dict[int, float]:
    """The share of masculine among the sentences that show a gender, by stereotype."""
    grammar = grammar_of(language)
    assert grammar is not None
    speakers = Speakers(grammar)
    read: dict[int, Counter[Gender]] = defaultdict(Counter)
    for source, stereotype in sources:
        pronoun = _FIRST.search(source)
        if pronoun and source in translations:
            gender = speakers.read(source, pronoun[0], pronoun.start(), translations[source]).gender
            read[stereotype][gender] += 1
            genders[gender] += 1
    return {
        each: counts[Gender.MASCULINE] / max(1, counts[Gender.MASCULINE] + counts[Gender.FEMININE])
        for each, counts in read.items()
    }


def dialogue_cases(sources: list[str], translations: list[str]) -> Iterator[Case]:
    """I and you of speakers whom the source tells to be women or men; a system may have got them wrong."""
    for source, translation in list(zip(sources, translations, strict=True))[::EVERY]:
        found = passages(source)
        quotes = [number for number, passage in enumerate(found) if passage.quoted]
        genders = {number: speaker_gender(source, number) for number in quotes}
        for number in quotes:
            other = next((each for each in quotes if each != number), number)
            for match in _SAID.finditer(source, found[number].start, found[number].end):
                gender = genders[number] if match[0] == "I" else genders[other] if other != number else None
                if gender is not None:
                    yield Case(source, match[0], match.start(), translation, gender)


def speaker_gender(source: str, quoted: int) -> Gender | None:
    """The gender that an English text tells of the speaker of a quotation."""
    around = told(source, passages(source), quoted)
    for start, end in (around.tag, around.lead):
        words = source[start:end].lower().split(" to ")[0]
        for word in re.findall(r"\w+", words):
            if word in _TOLD:
                return _TOLD[word]
    return None


def main() -> None:
    """Prints the tables asked for, all of them by default."""
    folder = Path(os.environ["EPICENE_TEST_DATA"])
    arguments, verbose = [each for each in sys.argv[1:] if each != "-v"], "-v" in sys.argv
    wanted = [each for each in arguments if re.fullmatch("[a-z]{2}", each)]
    parts = [each for each in arguments if each not in wanted] or ["open", "gest", "dialogue"]
    head = f"{'':<24}{'right':>9}{'wrong':>9}{'neutral':>9}{'undet.':>9}{'n':>6}  right, 95 % CI"
    if "open" in parts:
        print(head)
        for language in [each for each in OPEN if not wanted or each in wanted]:
            show("open", language, list(open_cases(folder, language)), verbose)
    if "gest" in parts:
        gest(folder, [each for each in GEST if not wanted or each in wanted], verbose)
    if "dialogue" in parts:
        print(f"{head}, by the gender in the source")
        files = archive(folder / "wmt24-dialogue.tar.gz")
        for language in [each for each in DIALOGUE if not wanted or each in wanted]:
            sources = files[f"en-{language}/source.txt"].splitlines()
            for system in SYSTEMS:
                translations = files[f"en-{language}/{system}.txt"].splitlines()
                show(f"dialogue {system}", language, list(dialogue_cases(sources, translations)), verbose)


if __name__ == "__main__":
    main()
