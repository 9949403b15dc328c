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
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

from benchmarks import run_parts
from epicene.act import candidates as nbest
from epicene.act.alternatives import Alternative, both
from epicene.act.stated import stated
from epicene.act.verbs import Reranked, alternatives, rerank
from epicene.act.versions import References, judged
from epicene.errors import InputError
from epicene.files import unpack
from epicene.flow import plan
from epicene.flow.plan import open_named
from epicene.flow.translate import open_asker
from epicene.reader import DETECTORS
from epicene.reader.people import person_at
from epicene.sets import files as published
from epicene.stats.rates import wilson
from epicene.systems import for_text
from epicene.tables import rows
from epicene.text import normalised
from epicene.types import Gender, GuidedSystem, Output, Pair

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


def show_choices(found: Reranked, what: str, groups: Sequence[str] = ("all", "anti", "pro", "female", "male")) -> None:
    """One line for each judge, and one for what it cost."""
    counted = ", ".join(f"{count} {why}" for why, count in found.counts.items())
    print(f"{what}: {counted}")
    for comparison in found.comparisons:
        protocol = next(part for part in comparison.signature.split("|") if part.startswith("protocol:"))
        told = {change.group: change for change in comparison.changes}
        cells = [f"{g} {told[g].before:.1f}→{told[g].after:.1f}" for g in groups if g in told]
        print(f"  {protocol:<17} {'  '.join(cells)}  unread {comparison.unread[0]:.1f}→{comparison.unread[1]:.1f}")
    print("  cost: " + ", ".join(f"{each.name} {each.before:.2f}→{each.after:.2f}" for each in found.costs), flush=True)


def from_lists() -> None:
    """The published lists, with the set's labels as published, and with what the source alone states."""
    folder = data()
    with tempfile.TemporaryDirectory() as part, tarfile.open(folder / "nbest4.tar.gz") as archive:
        unpack(archive, Path(part))
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
            for constrain in (False, True):
                how = "constrained" if constrain else "12-best"
                show_choices(rerank(name, f"en-{lang}", constrain=constrain), f"{name} en-{lang} {how}")


def of_pairs(langs: Sequence[str]) -> None:
    """MT-GenEval by bundled: both genders of each sentence, with references that people wrote, which also judge."""
    published.add("mt-geneval", data() / "mt-geneval.tar.gz")
    for lang in langs:
        for constrain in (False, True):
            found = rerank("mt-geneval", f"en-{lang}", constrain=constrain, anyway=True)
            how = "constrained" if constrain else "12-best"
            show_choices(found, f"mt-geneval en-{lang} {how}", ("all", "feminine", "masculine"))


def of_quality(langs: Sequence[str]) -> None:
    """Tatoeba by bundled, whose references tell what choosing costs."""
    folder = data()
    for lang in langs:
        for stating in (False, True):
            sources, references = tatoeba(folder, lang, stating)
            for constrain in (False, True):
                found = rerank(sources, f"en-{lang}", references=references, constrain=constrain)
                which = "stating a gender" if stating else "any sentence"
                show_choices(found, f"tatoeba en-{lang} {'constrained' if constrain else '12-best'}, {which}")


def tatoeba(folder: Path, lang: str, stating: bool, count: int = SENTENCES) -> tuple[list[str], list[str]]:
    """Sentences of Tatoeba's test with their references, drawn by chance: any, or such as state somebody's gender."""
    path = folder / "parallel" / f"tatoeba_merged_test.eng-{TATOEBA[lang]}.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        pairs = [line.rstrip("\n").split("\t")[:2] for line in stream]
    random.Random(1).shuffle(pairs)
    some = list(islice((pair for pair in pairs if not stating or stated(pair[0])), count))
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
        how = "unread" if verdict.gender is Gender.UNKNOWN else "same" if verdict.gender is said else "other"
        counts[row["lang"], how] += 1
    for lang in sorted({lang for lang, _ in counts}):
        print(
            f"people's labels, {lang}: "
            + ", ".join(f"{counts[lang, how]} {how}" for how in ("same", "other", "unread"))
        )
    for name in ("simplegen", "winomt"):
        print(f"the source alone, {name}: {dict(understood(name))}")


def understood(name: str) -> Counter[str]:
    """What the sources of a set state, against its labels, which the reading of the source never sees."""
    found = Counter[str]()
    for item in plan.open_set(name).items(Pair("en", "de")):
        if item.expected not in (Gender.FEMININE, Gender.MASCULINE):
            continue
        about = [each for each in stated(item.source) if any(p.start <= item.person.start < p.end for p in each.people)]
        if not about:
            found["another person" if any(each.sure for each in stated(item.source)) else "nothing"] += 1
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


GATE, OPEN = ("es", "fr"), ("es", "fr", "de")
LABELS = Path(__file__).parent.parent / "tests" / "golden" / "labels" / "alternatives.tsv"
N = 12


def gate(lang: str, count: int) -> list[Alternative]:
    """The share of GATE's sentences with both versions, and what its references say of them."""
    published.add("gate", Path(os.environ["EPICENE_TEST_DATA"], "gate.tar.gz"))
    found = alternatives("gate", f"en-{lang}", sample=count or None)
    show_versions(f"gate en-{lang}", found.found, found.judged, found.apart)
    return list(found.found)


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
    with open_asker("local") as by:
        lists = nbest.of_system("bundled", sources, pair, N, by)
    found = both(system, sources, people, lists, pair)
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
