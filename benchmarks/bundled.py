"""The demo model: its card, the same answers on every processor, and the model read back from 8 bits."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

import epicene
from benchmarks import run_parts
from epicene.files import read_lines
from epicene.flow.plan import open_set
from epicene.languages.codes import iso3
from epicene.languages.codes import pair as parse_pair
from epicene.registry import Options
from epicene.systems.local import bundled
from epicene.systems.local.bundled import Model
from epicene.systems.local.ctranslate2 import CTranslate2
from epicene_lab.corpus import read_challenge_sentences, read_test_pairs, sample_lines
from epicene_lab.speed import measure_bleu
from epicene_models import BUNDLED as FOLDER


@dataclass(frozen=True, slots=True)
class Test:
    """Sentences with references: more than one list where each sentence has several."""

    name: str
    sources: list[str]
    references: list[list[str]]


def tests(data: Path, target: str, number: int) -> Iterator[Test]:
    """All that there is for a language."""
    tatoeba = data / "parallel" / f"tatoeba_merged_test.eng-{iso3(target)}.tsv.gz"
    if tatoeba.is_file():
        pairs = read_test_pairs(tatoeba, number)
        yield Test("Tatoeba", [pair[0] for pair in pairs], [[pair[1] for pair in pairs]])
    for path in sorted((data / "parallel").glob(f"eng-{iso3(target)}.newstest*.eng.gz")):
        other = path.with_name(path.name.replace(".eng.gz", f".{iso3(target)}.gz"))
        pairs = sample_lines(list(zip(read_lines(path), read_lines(other), strict=True)), number)
        yield Test(path.name.split(".")[1], [pair[0] for pair in pairs], [[pair[1] for pair in pairs]])
    path = data / "open" / f"en-{target}.tsv.gz"
    rows = [line.split("\t") for line in list(read_lines(path))[1:]]
    unique = list({row[2]: row for row in rows}.values())[:number]
    yield Test("open", [row[2] for row in unique], [[row[6] for row in unique], [row[7] for row in unique]])


def known(folder: Path) -> list[str]:
    """The languages that a model translates into."""
    return [parse_pair(langs).target for langs in bundled.read_pairs(folder)]


def translated(folder: Path, lines: Sequence[str], target: str, beam: int) -> tuple[list[str], float]:
    """Translations, and seconds on all cores once the model is loaded."""
    system = Model(folder, Options("bundled", {"beam": str(beam)}))
    langs = parse_pair(f"en-{target}")
    list(system.translate(lines[:1], langs))
    begun = time.perf_counter()
    found = list(system.translate(lines, langs))
    return found, time.perf_counter() - begun


def quality(folder: Path, data: Path, number: int, beams: Sequence[int], only: str) -> Iterator[str]:
    """BLEU and speed of every test."""
    import sacrebleu

    for target in known(folder):
        for test in (each for each in tests(data, target, number) if only in each.name):
            row = f"en-{target} {test.name:<13} {len(test.sources):>5} lines"
            for beam in beams:
                found, seconds = translated(folder, test.sources, target, beam)
                if len(test.references) == 1:
                    score, _ = measure_bleu(found, test.references[0])
                else:
                    score = sacrebleu.BLEU().corpus_score(found, test.references).score
                row += f"  beam {beam}: BLEU {score:5.1f}, {len(found) / seconds:4.0f} sentences/s"
            yield row
    yield f"BLEU {measure_bleu(['a b c d'], ['a b c d'])[1]}; open: two references, as men and as women"


def people(folder: Path, every: int) -> Iterator[str]:
    """What is read in SimpleGEN and WinoMT, at beam 5."""
    for target in known(folder):
        if target in ("de", "es"):
            lines, _ = translated(folder, read_challenge_sentences("simplegen"), target, 5)
            for protocol in ("epicene", "paper"):
                result = epicene.score("simplegen", f"en-{target}", lines, protocol=protocol)
                rates = ", ".join(
                    f"{group} {rate.value:.1f} [{rate.low:.1f}, {rate.high:.1f}]"
                    for group in ("pro", "anti")
                    if (rate := result["correct", group]).value is not None
                )
                unread = 100 * result.genders["unknown"] / result.n
                yield f"SimpleGEN en-{target}, protocol {protocol}: n = {result.n}, undetected {unread:.1f} %, {rates}"
        sources = read_challenge_sentences("winomt")
        whole = [""] * len(sources)
        whole[::every], _ = translated(folder, sources[::every], target, 5)
        asked = len(sources[::every])
        result = epicene.score("winomt", f"en-{target}", whole, anyway=every > 1)
        unread = 100 * (result.genders["unknown"] - (len(sources) - asked)) / asked
        yield f"WinoMT en-{target}: n = {asked}, undetected {unread:.1f} %"


def into_english(folder: Path, data: Path, number: int) -> Iterator[str]:
    """Of a model into English: BLEU, and in how many sentences about an occupation it names the occupation."""
    system = Model(folder, Options("bundled"))
    for langs in map(parse_pair, bundled.read_pairs(folder)):
        path = data / "parallel" / f"tatoeba_merged_test.eng-{iso3(langs.source)}.tsv.gz"
        if path.is_file():
            pairs = read_test_pairs(path, number)
            score, _ = measure_bleu(
                list(system.translate([said for _, said in pairs], langs)), [pair[0] for pair in pairs]
            )
            yield f"{langs} Tatoeba {len(pairs)} lines: BLEU {score:.1f}"
        items = list(open_set("occupations").items(langs))
        found = list(system.translate([item.source for item in items], langs))
        named = sum(
            item.labels["english"].casefold() in text.casefold() for item, text in zip(items, found, strict=True)
        )
        first = Counter(text.casefold().replace("'", " ").partition(" ")[0] for text in found)
        begun = ", ".join(f"{word} {count}" for word, count in first.most_common(4))
        yield f"{langs} occupations: {named} of {len(items)} named; sentences begin with {begun}"


def print_card() -> None:
    """The bundled translator's card: size, speed, BLEU, SimpleGEN and WinoMT, as docs/models.md has them.

    ``python -m benchmarks.bundled card``: the one that ships. ``--models DIR ...``: others beside it, as ``epicene lab
    export`` wrote them. ``--lines``, ``--every`` and ``--only`` make it shorter.
    """
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bundled card")
    parser.add_argument("--models", type=Path, nargs="*", default=[], help="further models, beside the one that ships")
    parser.add_argument("--lines", type=int, default=3000, help="of each test")
    parser.add_argument("--every", type=int, default=1, help="of WinoMT: every so manieth sentence")
    parser.add_argument("--beams", type=int, nargs="+", default=[5, 1])
    parser.add_argument("--only", default="", help="one of Tatoeba, newstest, open, people, into-en")
    given = parser.parse_args()
    data = Path(os.environ["EPICENE_TEST_DATA"])
    others = [folder for folder in (*bundled.folders()[1:], *given.models) if (folder / bundled.PAIRS).is_file()]
    for folder in others if given.only in "into-en" else ():
        for line in into_english(folder, data, given.lines):
            print(f"{folder.name} {line}", flush=True)
    for folder in (folder for folder in (FOLDER, *given.models) if folder not in others):
        size = sum(path.stat().st_size for path in folder.iterdir() if path.suffix != ".md")
        name = "shipped" if folder == FOLDER else folder.name
        print(f"{name}: {size / 1e6:.1f} MB (model, vocabulary, SentencePiece); {os.cpu_count()} cores")
        told = quality(folder, data, given.lines, given.beams, given.only)
        for line in chain(told, people(folder, given.every) if given.only in "people" else ()):
            print(f"{name} {line}", flush=True)


FORCED = {
    "AVX2": {"ct2": "AVX2", "onednn": "AVX2", "threads": 1},
    "AVX": {"ct2": "AVX", "onednn": "AVX", "threads": 1},
    "SSE4.1, two threads": {"ct2": "GENERIC", "onednn": "SSE41", "threads": 2},
}
_ANSWERS = """
import json, sys
from epicene import systems
from epicene.flow.plan import open_set
from epicene.types import Pair
pair = Pair("en", "de")
sources = list(dict.fromkeys(item.source for item in open_set("simplegen").items(pair)))[:: int(sys.argv[2])]
print(json.dumps(list(systems.load(sys.argv[1]).translate(sources, pair))))
"""


def answers(spec: str, *, ct2: str = "", onednn: str = "", threads: int = 1, step: int = 60) -> list[str]:
    """What a process of its own answers, in which the instruction sets are forced."""
    forced = {"CT2_FORCE_CPU_ISA": ct2, "ONEDNN_MAX_CPU_ISA": onednn, "OMP_NUM_THREADS": str(threads)}
    environment = {**os.environ, **{name: value for name, value in forced.items() if value}}
    command = [sys.executable, "-c", _ANSWERS, spec, str(step)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return list(json.loads(done.stdout))


def print_processors() -> None:
    """Whether ``bundled`` answers the same on every instruction set of x86: 666 sentences of SimpleGEN, en-de, beam 5.

    The processor as it is, then as it would be with AVX2, AVX and SSE4.1 alone; other batches and threads as well.
    """
    wanted = answers("bundled?batch=8", step=4)
    for name, forced in FORCED.items():
        found = answers("bundled?batch=64", step=4, **forced)  # type: ignore[arg-type]
        differ = sum(one != other for one, other in zip(wanted, found, strict=True))
        print(f"{name}: {differ} of {len(wanted)} answers differ from this processor's own", flush=True)


PAIR = parse_pair("en-de")


def print_origin() -> None:
    """Is a model that was read back from CTranslate2's 8 bits the same? Translations of both, sentence by sentence.

    ``python -m benchmarks.bundled origin [EVERY]``: every so manieth sentence of SimpleGEN (20), ``bundled``, en-de,
    beam 5: the float weights by the lab's own search against CTranslate2 computing in int8 and in float32.
    """
    import torch

    from epicene_lab import origin, pieces
    from epicene_lab.model import Transformer
    from epicene_lab.search import decode

    lines = read_challenge_sentences("simplegen")[:: int(sys.argv[1]) if sys.argv[1:] else 20]
    found = origin.open_origin(FOLDER)
    model = Transformer(found.shape).eval()
    model.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in found.weights.items()})
    tool = pieces.load(found.pieces)
    sources = [np.array(each) for each in pieces.encode(tool, lines, PAIR.target)]
    ours = [tool.decode([int(piece) for piece in each]) for each in decode(model, sources, 5)]
    for compute in ("int8", "float32"):
        system = CTranslate2(FOLDER, Options("ctranslate2", {"compute": compute}))
        same = sum(one == other for one, other in zip(ours, system.translate(lines, PAIR), strict=True))
        print(f"CTranslate2 in {compute}: {same} of {len(lines)} translations are the same, {same / len(lines):.1%}")


PARTS = {"card": print_card, "processors": print_processors, "origin": print_origin}


def main() -> None:
    """Run the part that is named, or all."""
    run_parts(PARTS)


if __name__ == "__main__":
    main()
