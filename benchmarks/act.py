"""What acting gains and costs: reranking n-best lists, and offering both genders where the source leaves it open."""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import random
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from benchmarks import run_parts
from epicene.act.alternatives import Alternative, alternatives, find_alternatives
from epicene.act.candidates import ask_for_lists
from epicene.act.rerank import Reranked, rerank
from epicene.act.stated import find_stated
from epicene.errors import InputError
from epicene.flow import plan
from epicene.flow.plan import open_named
from epicene.flow.translate import open_asker
from epicene.measures import metrics
from epicene.reader import DETECTORS
from epicene.reader.contrast import read as read_contrast
from epicene.reader.contrast import telling, words
from epicene.reader.people import person_at
from epicene.sets import files as published
from epicene.stats.rates import wilson
from epicene.store.hypotheses import group_by_line
from epicene.systems import for_text
from epicene.tables import rows
from epicene.text import normalised
from epicene.types import Accepted, Gender, GuidedSystem, Item, Output, Pair

# Saunders et al. 2022: accuracy of the best candidate, and after oracle reranking of the 4-best lists.
PUBLISHED = {"es": (41.2, 45.3), "de": (54.0, 60.9), "he": (40.3, 43.1)}
TATOEBA = {"de": "deu", "es": "spa", "fr": "fra"}
SETS = ("simplegen", "winomt")
SENTENCES = 150  # of Tatoeba's test
_HUMAN = {"M": Gender.MASCULINE, "F": Gender.FEMININE, "N": Gender.NEUTRAL}


def data() -> Path:
    """The folder of published data, WinoMT added from it."""
    folder = Path(os.environ["EPICENE_TEST_DATA"])
    published.add("winomt", folder / "winomt")
    return folder


def show_choices(
    found: Reranked,
    what: str,
    groups: Sequence[str] = ("all", "anti", "pro", "female", "male"),
    references: Sequence[str] = (),
) -> None:
    """One line for each judge, and one for what it cost by the given references."""
    counted = ", ".join(f"{count} {why}" for why, count in found.counts.items())
    print(f"{what}: {counted}")
    for comparison in found.comparisons:
        protocol = next(part for part in comparison.signature.split("|") if part.startswith("protocol:"))
        told = {change.group: change for change in comparison.changes}
        cells = [f"{g} {told[g].before:.1f}→{told[g].after:.1f}" for g in groups if g in told]
        before, after = comparison.undetected
        print(f"  {protocol:<17} {'  '.join(cells)}  undetected {before:.1f}→{after:.1f}")
    print("  cost: " + ", ".join(costs(found, references)), flush=True)


def costs(found: Reranked, references: Sequence[str]) -> Iterator[str]:
    """Quality before and after by references, the model's own score, and how much of the text stayed."""
    before, after = [choice.candidates[0].text for choice in found.choices], found.lines
    for name in metrics.USUAL if references else ():
        scores = [
            metrics.score_corpus(name, texts, [(each,) for each in references]).value for texts in (before, after)
        ]
        yield f"{metrics.UNITS[name]} {scores[0]:.2f}→{scores[1]:.2f}"
    pairs = [(choice.candidates[0].score, choice.candidates[choice.chosen].score) for choice in found.choices]
    scored = [(first, second) for first, second in pairs if first is not None and second is not None]
    if scored:
        first, second = (sum(side) / len(scored) for side in zip(*scored, strict=True))
        yield f"model score {first:.2f}→{second:.2f}"
    bleu = metrics.score_corpus("bleu", after, [(each,) for each in before])
    yield f"BLEU against the first candidates {bleu:.2f}"


def from_lists() -> None:
    """The published lists, with the set's labels as published, and with what the source alone states."""
    folder = data()
    with tempfile.TemporaryDirectory() as part, tarfile.open(folder / "nbest4.tar.gz") as archive:
        archive.extractall(Path(part), filter="data")
        for lang, (first, oracle) in PUBLISHED.items():
            print(f"en-{lang}: published 1-best {first}, oracle reranking {oracle}")
            for kind in ("nbest", "constrainnbest"):
                for told in (True, False):
                    found = rerank("winomt", f"en-{lang}", nbest_file=Path(part, f"en{lang}.{kind}.4"), oracle=told)
                    show_choices(found, f"en-{lang} {kind} {'oracle' if told else 'source alone'}")


def from_bundled(langs: Sequence[str], sets: Sequence[str] = SETS) -> None:
    """SimpleGEN and WinoMT by bundled."""
    data()
    for lang in langs:
        for name in sets:
            show_choices(rerank(name, f"en-{lang}"), f"{name} en-{lang} 12-best")


def of_pairs(langs: Sequence[str]) -> None:
    """MT-GenEval by bundled: both genders of each sentence, with references that people wrote, which also judge."""
    published.add("mt-geneval", data() / "mt-geneval.tar.gz")
    for lang in langs:
        found = rerank("mt-geneval", f"en-{lang}", anyway=True)
        show_choices(found, f"mt-geneval en-{lang} 12-best", ("all", "feminine", "masculine"))


def of_quality(langs: Sequence[str]) -> None:
    """Tatoeba by bundled, whose references tell what choosing costs."""
    folder = data()
    for lang in langs:
        for stating in (False, True):
            sources, references = tatoeba(folder, lang, stating)
            which = "stating a gender" if stating else "any sentence"
            what = f"tatoeba en-{lang} 12-best, {which}"
            show_choices(rerank(sources, f"en-{lang}"), what, references=references)


def tatoeba(folder: Path, lang: str, stating: bool, count: int = SENTENCES) -> tuple[list[str], list[str]]:
    """Sentences of Tatoeba's test with their references, drawn by chance: any, or such as state somebody's gender."""
    path = folder / "parallel" / f"tatoeba_merged_test.eng-{TATOEBA[lang]}.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        pairs = [line.rstrip("\n").split("\t")[:2] for line in stream]
    random.Random(1).shuffle(pairs)
    some = list(islice((pair for pair in pairs if not stating or find_stated(pair[0])), count))
    return [source for source, _ in some], [reference for _, reference in some]


def from_people() -> None:
    """How often the reader that selects agrees with people, and how often the source is understood rightly."""
    folder = data()
    items = list(plan.open_set("winomt").items(Pair("en", "de")))
    counts = Counter[tuple[str, str]]()
    for row in rows((folder / "winomt" / "human_annotations.tsv").read_text(encoding="utf-8"), "human_annotations.tsv"):
        if row["human_gender"] not in _HUMAN:
            continue
        item = items[int(row["row_index0"])]
        output = Output(item, "", row["lang"], normalised(row["translation"]))
        verdict = next(iter(DETECTORS.find("reading").build(row["lang"]).detect([output])))
        said = _HUMAN[row["human_gender"]]
        how = "undetected" if verdict.gender is Gender.UNKNOWN else "same" if verdict.gender is said else "other"
        counts[row["lang"], how] += 1
    for lang in sorted({lang for lang, _ in counts}):
        print(
            f"people's labels, {lang}: "
            + ", ".join(f"{counts[lang, how]} {how}" for how in ("same", "other", "undetected"))
        )
    for name in ("simplegen", "winomt"):
        print(f"the source alone, {name}: {dict(understood(name))}")


def understood(name: str) -> Counter[str]:
    """What the sources of a set state, against its labels, which the reading of the source never sees."""
    found = Counter[str]()
    for item in plan.open_set(name).items(Pair("en", "de")):
        if item.expected not in (Gender.FEMININE, Gender.MASCULINE):
            continue
        about = [
            each for each in find_stated(item.source) if any(p.start <= item.person.start < p.end for p in each.people)
        ]
        if not about:
            found["another person" if any(each.sure for each in find_stated(item.source)) else "nothing"] += 1
            continue
        sure, right = any(each.sure for each in about), any(each.gender is item.expected for each in about)
        found[f"{'sure' if sure else 'one of two'}, {'right' if right else 'wrong'}"] += 1
    return found


def print_rerank() -> None:
    """What reranking gains and costs: the published 4-best lists, and ``bundled`` with 12 candidates, by several
    judges.

    ``python -m benchmarks.act rerank`` prints all; ``python -m benchmarks.act rerank published``, ``bundled [LANG…]
    [SET…]``, ``pairs [LANG…]``, ``quality [LANG…]`` or ``people`` a part. The lists of bundled take minutes of CPU time
    and are kept in the cache.
    """
    part, *named = sys.argv[1:] or ["all"]
    langs = [each for each in named if each not in SETS]
    if part in ("all", "published"):
        from_lists()
    if part in ("all", "people"):
        from_people()
    if part in ("all", "bundled"):
        from_bundled(langs or list(TATOEBA), [each for each in SETS if each in named] or SETS)
    if part in ("all", "pairs"):
        of_pairs(langs or list(TATOEBA))
    if part in ("all", "quality"):
        of_quality(langs or list(TATOEBA))


_SHORT = 3  # letters of articles and prepositions, which agree with things as well as with people
VERSIONS = ("right", "wrong", "silent")
PAIRS = ("nothing but gender", "a word turned that people keep", "a word kept that people turn", "silent")


class References(NamedTuple):
    """The translations of a sentence with everybody as a woman, and with everybody as a man."""

    women: str
    men: str

    @property
    def accepted(self) -> tuple[Accepted, Accepted]:
        """As detectors have them."""
        return Accepted(self.women, Gender.FEMININE), Accepted(self.men, Gender.MASCULINE)


class Judged(NamedTuple):
    """Versions, and pairs of them, by what references say."""

    versions: dict[str, int]
    pairs: dict[str, int]


def references_of(group: Sequence[Item]) -> References | None:
    """The references in which all people of a sentence have one gender; None where there are no such two."""
    found = []
    for gender in (Gender.FEMININE, Gender.MASCULINE):
        texts = [[text for text, told in item.references if told is gender] for item in group]
        shared = [text for text in texts[0] if all(text in other for other in texts[1:])] if texts else []
        if not shared:
            return None
        found.append(shared[0])
    return References(*found)


def judged(found: Iterable[tuple[Alternative, References | None]]) -> Judged:
    """What references say of all versions that came in pairs."""
    versions, pairs = Counter[str](), Counter[str]()
    for each, references in found:
        if not each.both or references is None:
            continue
        for gender, version in each.versions.items():
            gender_read = read_contrast(references.accepted, version.text).gender
            versions["silent" if gender_read is Gender.UNKNOWN else "right" if gender_read is gender else "wrong"] += 1
        pairs[apart(each, references)] += 1
    return Judged({name: versions[name] for name in VERSIONS}, {name: pairs[name] for name in PAIRS})


def apart(found: Alternative, references: References) -> str:
    """In what two versions differ, by the words that the references share and those in which they differ."""
    theirs = telling(references.accepted)
    turned = theirs[Gender.FEMININE] | theirs[Gender.MASCULINE]
    kept = words(references.women) & words(references.men)
    texts = [found.versions[gender].text for gender in (Gender.FEMININE, Gender.MASCULINE)]
    ours = telling((Accepted(texts[0], Gender.FEMININE), Accepted(texts[1], Gender.MASCULINE)))
    both = words(texts[0]) & words(texts[1])
    changed = ours[Gender.FEMININE] | ours[Gender.MASCULINE]
    for said, telling_words in ((PAIRS[1], changed & kept), (PAIRS[2], both & turned), (PAIRS[0], changed & turned)):
        if any(len(word) > _SHORT for word in telling_words):
            return said
    return PAIRS[3]


GATE, OPEN = ("es", "fr"), ("es", "fr", "de")
LABELS = Path(__file__).parent.parent / "tests" / "golden" / "labels" / "alternatives.tsv"
N = 12


def gate(lang: str, count: int) -> list[Alternative]:
    """The share of GATE's sentences with both versions, and what its references say of them."""
    published.add("gate", Path(os.environ["EPICENE_TEST_DATA"], "gate.tar.gz"))
    sentences = alternatives("gate", f"en-{lang}", sample=count or None).sentences
    groups = list(group_by_line(plan.open_set("gate").items(Pair("en", lang))))
    taken = [groups[index * len(groups) // count] for index in range(min(count, len(groups)))] if count else groups
    told = judged((each, references_of(group)) for each, group in zip(sentences, taken, strict=True))
    show_versions(f"gate en-{lang}", sentences, told.versions, told.pairs)
    return list(sentences)


def open_cases(lang: str, count: int) -> list[Alternative]:
    """The same on sentences with one person in focus, whose human translations are there in both genders."""
    system = for_text(*open_named("bundled"))
    if not isinstance(system, GuidedSystem):
        raise TypeError("bundled is guided")
    path = Path(os.environ["EPICENE_TEST_DATA"], "open", f"en-{lang}.tsv.gz")
    cases = list(rows(gzip.decompress(path.read_bytes()).decode(), path.name))
    taken = cases if not count else [cases[place * len(cases) // count] for place in range(min(count, len(cases)))]
    people = []
    for case in taken:
        try:
            people.append((person_at(case["source"], case["focus"], int(case["start"])),))
        except InputError:
            people.append(())
    sources, pair = [case["source"] for case in taken], Pair("en", lang)
    with open_asker() as by:
        lists = ask_for_lists("bundled", sources, pair, N, by)
    found = find_alternatives(system, sources, people, lists, pair)
    references = [References(case["feminine"], case["masculine"]) for case in taken]
    told = judged(zip(found, references, strict=True))
    show_versions(f"open en-{lang}", found, told.versions, told.pairs)
    return found


def share(name: str, found: Iterable[Alternative]) -> None:
    """The share of sentences with both, with its interval."""
    every = list(found)
    number, n = sum(each.both for each in every), sum(bool(each.people) for each in every)
    low, high = wilson(number, n)
    print(f"{name}: both {number} of {n} ({100 * number / n:.1f} % [{100 * low:.1f}, {100 * high:.1f}])", flush=True)


def show_versions(name: str, found: Iterable[Alternative], versions: dict[str, int], pairs: dict[str, int]) -> None:
    """The share, why others have one version, and what the references say."""
    every = list(found)
    share(name, every)
    print(f"  sentences: {dict(Counter(each.why for each in every).most_common())}")
    print(f"  versions by references: {versions}")
    print(f"  pairs by references: {pairs}", flush=True)


def labels() -> None:
    """What a person said of pairs of versions, drawn evenly from those that were found in 300 sentences.

    The label ``agreement``: a word about the person does not agree; ``turned too much``: another word was turned;
    ``not the person``: the gender shows on no word for the person. How good a translation is otherwise does not count.
    """
    with LABELS.open(encoding="utf-8", newline="") as stream:
        read = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    for part in dict.fromkeys(row["part"] for row in read):
        mine = [row["label"] for row in read if row["part"] == part]
        right = mine.count("right")
        low, high = wilson(right, len(mine))
        others = dict(Counter(label for label in mine if label != "right").most_common())
        share = f"{100 * right / len(mine):.1f} % [{100 * low:.1f}, {100 * high:.1f}]"
        print(f"{part}: {right} of {len(mine)} pairs right in nothing but gender ({share}); the others: {others}")


def print_alternatives() -> None:
    """Both genders where the source leaves it open: ``bundled`` on GATE and on the open cases of Apple's data.

    ``python -m benchmarks.act alternatives [N] [gate|open] [LANG …]`` takes N sentences of each language, evenly (300);
    0 takes all. ``--halves`` also shows every other sentence apart: of 600, the first half is what 300 are, the second
    is fresh. ``--keep FOLDER`` writes the versions there, to be read. ``python -m benchmarks.act alternatives labels``
    prints how many of those that a person read are right in nothing but gender.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*")
    parser.add_argument("--halves", action="store_true")
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    if "labels" in given.what:
        labels()
        return
    count = next((int(each) for each in given.what if each.isdigit()), 300)
    langs = [each for each in given.what if each in OPEN]
    parts = [each for each in given.what if each in ("gate", "open")] or ["gate", "open"]
    for part in parts:
        for lang in langs or (GATE if part == "gate" else OPEN):
            found = gate(lang, count) if part == "gate" else open_cases(lang, count)
            if given.halves:
                share("  first half", found[::2])
                share("  second half", found[1::2])
            if given.keep:
                given.keep.mkdir(parents=True, exist_ok=True)
                lines = (json.dumps(each.as_dict(), ensure_ascii=False) + "\n" for each in found)
                (given.keep / f"{part}.en-{lang}.jsonl").write_text("".join(lines), encoding="utf-8")


PARTS = {"rerank": print_rerank, "alternatives": print_alternatives}


def main() -> None:
    """Run the part that is named, or all."""
    run_parts(PARTS)


if __name__ == "__main__":
    main()
