"""What a machine with a GPU sent back: decoded pieces become outputs, BLEU and times; 8-bit weights model folders."""

from __future__ import annotations

import csv
import io
import json
import shutil
import tarfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from epicene.errors import InputError
from epicene.files import read_lines, write_atomically
from epicene.languages.codes import iso3
from epicene_lab import arrays, corpus, outputs, pieces, shipped, store
from epicene_lab.corpus import PIECES
from epicene_lab.outputs import Run
from epicene_lab.points import MODES
from epicene_lab.recipe import Shape
from epicene_lab.recipes.simplegen.fleet import OUTPUTS, TIMES
from epicene_lab.recipes.simplegen.jobs import NEWSTEST_LINES, TATOEBA_LINES
from epicene_lab.speed import measure_bleu

Files = dict[str, bytes]
SETS = ("simplegen", "winomt")


def measure(folders: Sequence[Path], data: Path, tests: Path, results: Path) -> Iterator[str]:
    """Write outputs, ``bleu.csv`` and ``times.csv`` of all models that arrived; yields a line a file."""
    said: dict[str, dict[str, dict[Run, list[str]]]] = defaultdict(lambda: {name: {} for name in SETS})
    rows: dict[Run, Sequence[Any]] = {}
    for name, files in sorted(read_outputs(folders).items()):
        skew, _, language, seed = parse_name(name)
        shape = _shape(name, files)
        tool = pieces.open_processor(data / language / PIECES)
        decoded = arrays.load_bytes(files[OUTPUTS], f"{name}/{OUTPUTS}")
        references = _references(tests, language)
        for precision, beam in MODES:
            run = Run(f"en-{language}", skew, shape.name, seed, precision, beam)
            for each in SETS:
                said[language][each][run] = read_said(decoded, f"{each}.{precision}.{beam}", tool)
            scores = []
            for test, lines in references.items():
                score, signature = measure_bleu(read_said(decoded, f"{test}.{precision}.{beam}", tool), lines)
                scores += [round(score, 2), len(lines)]
            rows[run] = (*run, *scores, signature)
    for language, sets in said.items():
        for each, runs in sets.items():
            path = results / f"en-{language}.{each}.xz"
            outputs.write(path, runs)
            yield f"{path}: {len(runs)} runs"
    head = (*Run._fields, "newstest", "newstest_lines", "tatoeba", "tatoeba_lines", "signature")
    yield _table(results / "bleu.csv", head, [rows[run] for run in sorted(rows)])
    yield _table(results / "times.csv", *_times(folders))


def collect(folders: Sequence[Path], data: Path, tests: Path | None, models: Path | None, out: Path) -> Iterator[str]:
    """Score what was decoded, where there are tests, and unpack what was trained, where models are to go."""
    if tests:
        yield from measure(folders, data, tests, out)
    if models:
        yield from map(str, unpack(folders, data, models))


def keep(folder: Path) -> None:
    """Read all outputs of a folder of results and keep the verdicts."""
    shipped.keep(folder, [("simplegen", "epicene"), ("simplegen", "paper"), ("winomt", "epicene")])


def unpack(folders: Sequence[Path], data: Path, to: Path) -> list[Path]:
    """Write a model folder for each model whose weights arrived."""
    known = read_outputs(folders)
    unpacked = []
    for folder in folders:
        for name, files in _tar(_joined(folder, "weights.tar"), folder):
            if name not in known:
                raise InputError(f"{folder}: weights of {name}, but no outputs say what it is")
            language = parse_name(name)[2]
            if not (data / language / PIECES).is_file():
                raise InputError(f"{data} holds no {language}/{PIECES}, which {name} was trained with; give its --data")
            place = to / name
            place.mkdir(parents=True, exist_ok=True)
            (place / store.WEIGHTS).write_bytes(files[store.WEIGHTS])
            shutil.copyfile(data / language / PIECES, place / store.PIECES)
            record: dict[str, Any] = json.loads(known[name][store.MODEL])
            pair = {} if language == "all" else {"pair": f"en-{language}"}
            store.describe(place, Shape(**record.pop("shape")), {**record, **pair})
            unpacked.append(place)
    return unpacked


def _references(tests: Path, language: str) -> dict[str, list[str]]:
    newstest = next(iter(sorted(tests.glob(f"eng-{iso3(language)}.newstest*.{iso3(language)}.gz"))), None)
    if newstest is None:
        raise InputError(f"{tests} holds no eng-{iso3(language)}.newstest*.{iso3(language)}.gz to compare with")
    tatoeba = corpus.read_test_pairs(tests / f"tatoeba_merged_test.eng-{iso3(language)}.tsv.gz", TATOEBA_LINES)
    return {"newstest": list(read_lines(newstest))[:NEWSTEST_LINES], "tatoeba": [pair[1] for pair in tatoeba]}


def _times(folders: Sequence[Path]) -> tuple[Sequence[str], list[Sequence[Any]]]:
    """The times of all folders; where a model was timed twice, the later ones."""
    timed: dict[str, Any] = {}
    for folder in folders:
        if (folder / TIMES).is_file():
            timed |= json.loads((folder / TIMES).read_text(encoding="utf-8"))
    head: list[str] = []
    rows: list[Sequence[Any]] = []
    for name, times in sorted(timed.items()):
        skew, model, language, seed = parse_name(name)
        for point in times["points"]:
            head = head or [*Run._fields, *(key for key in point if key not in Run._fields), "machine", "date"]
            values = {"langs": f"en-{language}", "skew": skew, "model": model, "seed": seed, **point, **times}
            rows.append([values[key] for key in head])
    return head, rows


def _table(path: Path, head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    with write_atomically(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)
    return f"{path}: {len(rows)} rows"


def read_said(decoded: Mapping[str, Any], name: str, tool: Any) -> list[str]:
    """The translations of one set in one mode."""
    import numpy as np

    if name not in decoded:
        raise InputError(f"the outputs hold no {name}; they have: {', '.join(sorted(decoded))}")
    ends = np.cumsum(decoded[f"{name}.lengths"].astype(np.int64))[:-1]
    return [tool.decode(each.tolist()) for each in np.split(decoded[name].astype(np.int64), ends)]


def read_outputs(folders: Sequence[Path]) -> dict[str, Files]:
    """The small files of each model by its name; where a model came twice, the later one."""
    files: dict[str, Files] = {}
    for folder in folders:
        files |= dict(_tar(_joined(folder, "outputs.tar"), folder))
    if not files:
        raise InputError(f"no outputs.tar.0 in {', '.join(map(str, folders))}")
    return files


def _joined(folder: Path, name: str) -> bytes:
    cut = sorted(folder.glob(f"{name}.*"), key=lambda path: int(path.suffix[1:]))
    return b"".join(path.read_bytes() for path in cut)


def _tar(content: bytes, where: Path) -> Iterator[tuple[str, Files]]:
    """Files by model; members are read, never unpacked, so that no name of theirs becomes a path."""
    found: dict[str, Files] = {}
    if not content:
        return
    try:
        with tarfile.open(fileobj=io.BytesIO(content)) as tar:
            for member in tar:
                model, _, name = member.name.partition("/")
                stream = tar.extractfile(member)
                if stream is not None:
                    found.setdefault(model, {})[name] = stream.read()
    except tarfile.TarError as error:
        raise InputError(f"{where}: broken archive: {error}") from None
    for model in found:
        parse_name(model)
    yield from found.items()


def parse_name(name: str) -> tuple[str, str, str, int]:
    """Skew, shape, language and seed of a model."""
    parts = name.split(".")
    if len(parts) != 4 or not parts[3].isdecimal() or not name.replace(".", "").replace("-", "").isalnum():
        raise InputError(f"model {name!r} is not named as they are prepared: SKEW.SHAPE.LANGUAGE.SEED")
    return parts[0], parts[1], parts[2], int(parts[3])


def _shape(name: str, files: Files) -> Shape:
    try:
        return Shape(**json.loads(files[store.MODEL])["shape"])
    except (KeyError, ValueError, TypeError) as error:
        raise InputError(f"outputs of {name}: {store.MODEL}: {error!r}") from None
