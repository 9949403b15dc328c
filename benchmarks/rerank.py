"""What reranking gains and costs: the published 4-best lists, and ``bundled`` with 12 candidates, by several judges.

``python -m benchmarks rerank`` prints all; ``python -m benchmarks.rerank published``, ``bundled [LANG…] [SET…]``,
``pairs [LANG…]``, ``quality [LANG…]`` or ``people`` a part. The lists of bundled take minutes of CPU time and are kept
in the cache.
"""

from __future__ import annotations

import gzip
import os
import random
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from epicene import published
from epicene.act.stated import stated
from epicene.act.verbs import Reranked, rerank
from epicene.detectors import DETECTORS
from epicene.files import unpack
from epicene.flow import plan
from epicene.normalise import normalised
from epicene.tables import rows
from epicene.types import Gender, Output, Pair

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


def show(found: Reranked, what: str, groups: Sequence[str] = ("all", "anti", "pro", "female", "male")) -> None:
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
                    show(found, f"en-{lang} {kind} {'oracle' if told else 'source alone'}")


def from_bundled(langs: Sequence[str], sets: Sequence[str] = SETS) -> None:
    """SimpleGEN and WinoMT by bundled."""
    data()
    for lang in langs:
        for name in sets:
            for constrain in (False, True):
                how = "constrained" if constrain else "12-best"
                show(rerank(name, f"en-{lang}", constrain=constrain), f"{name} en-{lang} {how}")


def of_pairs(langs: Sequence[str]) -> None:
    """MT-GenEval by bundled: both genders of each sentence, with references that people wrote, which also judge."""
    published.add("mt-geneval", data() / "mt-geneval.tar.gz")
    for lang in langs:
        for constrain in (False, True):
            found = rerank("mt-geneval", f"en-{lang}", constrain=constrain, anyway=True)
            how = "constrained" if constrain else "12-best"
            show(found, f"mt-geneval en-{lang} {how}", ("all", "feminine", "masculine"))


def of_quality(langs: Sequence[str]) -> None:
    """Tatoeba by bundled, whose references tell what choosing costs."""
    folder = data()
    for lang in langs:
        for stating in (False, True):
            sources, references = tatoeba(folder, lang, stating)
            for constrain in (False, True):
                found = rerank(sources, f"en-{lang}", references=references, constrain=constrain)
                which = "stating a gender" if stating else "any sentence"
                show(found, f"tatoeba en-{lang} {'constrained' if constrain else '12-best'}, {which}")


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


def main() -> None:
    """Run the parts that are named, or all."""
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


if __name__ == "__main__":
    main()
