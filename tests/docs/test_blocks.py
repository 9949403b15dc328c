"""Every command and every Python block of the documentation runs, or it is said why it cannot run here."""

from __future__ import annotations

import math
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import epicene as package
from epicene.sets import files
from tests.conftest import Command
from tests.docs.test_examples import EXAMPLES, PAGES, ROOT, blocks

# Why a command is not run; whatever fits none of these is run, in a folder with the files that it names.
REASONS = {
    "installs or builds something": r"^(pip|make) ",
    "needs a key, a server or a cluster": r"^export |^OPENAI_|deepl|openai|google\b|http:http|--engine ray",
    "changes the data that the tests share": r"^epicene data ",
    "trains models, or shows those that were trained": r"^epicene (lab (?!weat)|study simplegen)|models/balanced|tiny\.ct2",
    "needs voices, recordings or recognisers": r"winost|^epicene speech|--voice|faster-whisper",
    "needs word vectors of gigabytes": r"glove|crawl|cc\.de|europarl|huggingface:",
    "needs a translator of one's own": r"command:|SYSTEM",
    "downloads a model": r"comet",
    "translates for minutes": r"^epicene (control|rerank|alternatives)|gate (--update|-f github)|-l fi-en",
    "serves pages until it is stopped": r"^epicene review",
    "needs earlier runs": r"runs/(float|2026|\S*other)",
    "needs outputs as others published them": r"record build|study gest|score -t gest|both\.de|rewritten|-t dialogue|-t mittens|verbs=|"
    "adjectives=",
}
# Exit codes that are answers: a gate that fails, or cannot tell.
ANSWERS = {"gate": {0, 1, 3}}
SYSTEMS = ("google", "bing")
# What is added of the published sets.
SOURCES = {
    "winomt": "winomt",
    "wibemt": "wibemt",
    "gest": "gest",
    "gate": "gate.tar.gz",
    "mt-geneval": "mt-geneval.tar.gz",
    "mt-geneval-context": "mt-geneval.tar.gz",
    "mittens": "mittens_dataset_v5.csv.gz",
    "dialogue": "wmt24-dialogue.tar.gz",
    "prates": "occupations",
}


def lines_to_run(page: Path) -> Iterator[str]:
    """The commands of a page that are run, continued lines joined; audits on a sample, since a whole set takes minutes."""
    for block in blocks(page, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            command = line.partition("  #")[0].strip()
            if not command or command.startswith("#") or reason(command):
                continue
            yield f"{command} --sample 10 --anyway" if command.startswith("epicene audit") else command


def reason(command: str) -> str:
    """Why a command is not run, or nothing."""
    return next((why for why, pattern in REASONS.items() if re.search(pattern, command)), "")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, published: Path) -> Path:
    """A folder with the files that the documentation speaks of, and published sets."""
    import epicene_models

    folder = tmp_path_factory.mktemp("docs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EPICENE_HOME", str(folder / "home"))
        for name, source in SOURCES.items():
            files.add(name, published / source)
    for name in ("model", "my-model"):
        (folder / name).symlink_to(epicene_models.BUNDLED)
    (folder / "docs").symlink_to(ROOT / "docs")
    german = (published / "simplegen" / "opus-mt.en-de.txt").read_text(encoding="utf-8")
    for system in SYSTEMS:
        lines = (published / "winomt" / "translations" / f"{system}.en-de.txt").read_text(encoding="utf-8")
        _write(folder / f"out/{system}/en-de.txt", lines)
        _write(folder / f"out/winomt/{system}/en-de.txt", lines)
        _write(folder / f"out/simplegen/{system}/en-de.txt", german)
    nurses = [f"{number}\tThe nurse came {number}.\tnurse\tfeminine" for number in range(40)]
    _write(folder / "mine.tsv", "\n".join(("id\tsource\tfocus\texpected", *nurses)))
    _write(folder / "news.en", "The doctor said she was late.\nMy friend is a teacher.\n")
    _write(folder / "census.csv", (ROOT / "docs/examples/census-made-up.csv").read_text(encoding="utf-8"))
    for name in ("vectors.txt", "a.vec", "b.vec", "debiased.vec"):
        _write(folder / name, _make_vectors(name))
    return folder


@pytest.fixture(scope="module")
def ran() -> set[str]:
    """Commands that need not be run here, or not again: another page has them, or what they print is tested."""
    return {block.command for block in EXAMPLES}


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _make_vectors(name: str) -> str:
    """Vectors of chance for as many words of the shipped tests as these ask for, whose partitions are soon counted."""
    from epicene.tables import table

    chance = random.Random(name)
    rows = (*table("embeddings/tables", "lists.tsv"), *table("embeddings/tables", "jobs.tsv"))
    lists = [re.findall(r"[\w'-]+", cell) for row in rows for cell in row.values()]
    words = sorted({word for each in lists for word in each[: math.ceil(0.8 * len(each))]})
    return "".join(f"{word} {' '.join(f'{chance.gauss(0, 1):.3f}' for _ in range(20))}\n" for word in words)


def write_inputs(command: str, folder: Path, published: Path) -> None:
    """Write the translations that a command reads, of the set and the pair that it names."""
    words = shlex.split(command)
    named = dict(pairwise(words))
    if "-t" in named and "-l" in named:
        for name in set(re.findall(r"[\w.]+\.(?:de|es|en|sk)\b", command)) - {named.get("-o"), named.get(">")}:
            _write_translations(folder / name, named["-t"], named["-l"], published)


def _write_translations(path: Path, set_name: str, langs: str, published: Path) -> None:
    _write(path, "".join(f"{line}\n" for line in _translate(set_name, langs, published)))


def _translate(set_name: str, langs: str, published: Path) -> list[str]:
    if set_name == "simplegen":
        return (published / "simplegen" / f"opus-mt.{langs}.txt").read_text(encoding="utf-8").splitlines()
    if set_name == "winomt":
        path = published / "winomt" / "translations" / f"google.{langs}.txt"
        return path.read_text(encoding="utf-8").splitlines()
    if set_name == "custom:mine.tsv":
        return [f"Die Krankenschwester kam {number}." for number in range(40)]
    from epicene.languages.codes import pair

    items = {item.line or item.id: item for item in package.open_set(set_name).items(pair(langs))}
    if set_name == "occupations":
        return [f"he is a {item.labels['english']}." for item in items.values()]
    references = ((item, {gender: text for text, gender in item.references}) for item in items.values())
    return [texts.get(item.expected) or next(iter(texts.values())) for item, texts in references]


@pytest.mark.parametrize("page", [page for page in PAGES if list(lines_to_run(page))], ids=lambda page: page.name)
def test_the_commands_of_a_page_run(
    page: Path, place: Path, published: Path, ran: set[str], epicene: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In this process, but for those that have a shell do something."""
    monkeypatch.chdir(place)
    monkeypatch.setenv("EPICENE_HOME", str(place / "home"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    shutil.rmtree("epicene-run", ignore_errors=True)  # of an example on another page
    for line in lines_to_run(page):
        if line in ran:
            continue
        ran.add(line)
        write_inputs(line, place, published)
        if any(sign in line for sign in "|>"):
            command = ["bash", "-e", "-o", "pipefail", "-c", line]
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        else:
            done = epicene(*shlex.split(line)[1:])
        allowed = ANSWERS.get(line.split()[1], {0})
        assert done.returncode in allowed, f"{page.name}: {line}\n{done.stderr}"


MARKED = re.compile(r"^(<!-- not run: [^\n]+ -->\n)?```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def python_blocks(page: Path) -> list[str]:
    """The Python of a page, without blocks of which a comment above them says why they are not run."""
    return [block for mark, block in MARKED.findall(page.read_text(encoding="utf-8")) if not mark]


@pytest.mark.parametrize("page", [page for page in PAGES if python_blocks(page)], ids=lambda page: page.name)
def test_the_python_of_a_page_runs(page: Path, place: Path, published: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    monkeypatch.setenv("EPICENE_HOME", str(place / "home"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    for block in python_blocks(page):
        for set_name, langs in re.findall(r'(?:score|load)\([^"]*"([\w-]+)", (?:langs=)?"(\S+)"', block) or [
            ("simplegen", "en-de")
        ]:
            for name in re.findall(r'"(\w+\.(?:de|en))"', block):
                _write_translations(place / name, set_name, langs, published)
        names: dict[str, object] = {"__name__": "example"}
        exec(compile(block, page.name, "exec"), names)  # noqa: S102 - our own documentation
        for name, function in names.items():
            if name.startswith("test_"):
                function()  # type: ignore[operator]
