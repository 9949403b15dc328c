"""Run cases, and keep what they answer as JSON, one file for each family of cases."""

from __future__ import annotations

import json
import lzma
import re
import shlex
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from string import Template
from typing import Any

from tests.snapshot import adapter
from tests.snapshot.cases import Case, list_cases
from tests.snapshot.compare import Flat, encode_verdicts, flatten

STORED = Path(__file__).parent / "stored"
SECTIONS = ("numbers", "words")
Snapshot = dict[str, dict[str, Flat]]  # case, section, path
_COMPRESSED = 100_000  # characters; larger files are compressed
# Keys whose values differ from run to run or from version to version.
_VOLATILE = frozenset(
    {"epicene", "version", "at", "seconds", "time", "date", "made", "python", "platform", "elapsed", "fingerprint"}
)
_PROSE = frozenset({"warnings", "notes", "title", "signature", "signatures", "problems", "missing", "citation"})
# Keys that may hold a published sentence.
_SENTENCES = frozenset(
    {"source", "output", "translation", "translations", "sentence", "sentences", "text", "evidence", "transcript"}
)
_SCRUBBED = (
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(\+\d\d:?\d\d|Z)?( UTC)?"), "TIME"),
    (re.compile(r"\bv:[\d.]+\w*|(?<=epicene )\d+\.\d+\.\d+\w*"), "VERSION"),
    (re.compile(r"@[0-9a-f]{8}\b"), "@CODE"),
)


def run_cases(cases: Iterable[Case], folder: Path, jobs: int = 1) -> Snapshot:
    """What the cases answer now."""
    inputs = adapter.Inputs(folder)
    with ThreadPoolExecutor(jobs) as pool:
        return {case.name: answer for case, answer in pool.map(lambda case: (case, run_case(case, inputs)), cases)}


def run_case(case: Case, inputs: adapter.Inputs) -> dict[str, Flat]:
    """Numbers and words of one case."""
    out = inputs.folder / "cases" / case.name.replace("/", "+")
    out.mkdir(parents=True)
    home = inputs.open_home(case.sets)
    answer: dict[str, Any] = {}
    for command in case.commands:
        name, *arguments = shlex.split(Template(command).substitute(inputs, out=str(out)))
        if name == "@decide":
            adapter.write_decisions(Path(arguments[0]), Path(arguments[1]))
        elif name == "@helps":
            answer["help"] = adapter.read_helps(home, out)
        else:
            done = adapter.run_epicene([name, *arguments], home, out)
            answer |= {"exit": done.returncode, "messages": _scrub(done.stderr, inputs, out).splitlines()}
            answer["answer"] = _parse(_scrub(done.stdout, inputs, out))
    for path in (out / "run" / "results.json",) if "review" in case.name else ():
        answer["results"] = _parse(_scrub(path.read_text(encoding="utf-8"), inputs, out))
    if (page := out / "run" / "report.html").exists():
        answer["page"] = [_scrub(line, inputs, out) for line in adapter.read_page(page)]
    sections = split(answer, bool(case.sets))
    if (verdicts := out / "verdicts.jsonl").exists():
        sections["numbers"] = {
            **sections["numbers"],
            "verdicts": encode_verdicts(list(adapter.read_verdicts(verdicts))),
        }
    return sections


def _scrub(text: str, inputs: adapter.Inputs, out: Path) -> str:
    for path, name in ((out, "$out"), (inputs.folder, "$tmp"), (adapter.DATA, "$data"), (adapter.OWN, "$own")):
        text = text.replace(str(path), name)
    for pattern, name in _SCRUBBED:
        text = pattern.sub(name, text)
    return text


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return {"lines": text.splitlines()}


def split(answer: dict[str, Any], is_published: bool) -> dict[str, Flat]:
    """An answer's leaves as numbers and words, without what is volatile or holds a sentence of a published set."""
    numbers: dict[str, Any] = {}
    words: dict[str, Any] = {}
    texts = {key: answer.pop(key) for key in ("messages", "page") if answer.get(key)}
    if isinstance(answer.get("answer"), dict) and "lines" in answer["answer"]:
        texts["text"] = answer.pop("answer")["lines"]
    for command, lines in answer.pop("help", {}).items():
        texts[f"help/{command}"] = lines
    words |= texts
    for path, leaf in flatten(answer):
        keys = set(re.sub(r"\[[^]]*\]", "", path).split("/"))
        if keys & _VOLATILE or (is_published and keys & _SENTENCES):
            continue
        is_prose = bool(keys & _PROSE) or (isinstance(leaf, str) and " " in leaf)
        (words if is_prose else numbers)[path] = leaf
    return {"numbers": numbers, "words": words}


def join(snapshot: Snapshot, section: str) -> dict[str, Any]:
    """One section of all cases as one flat table."""
    return {f"{case}/{path}": leaf for case, sections in snapshot.items() for path, leaf in sections[section].items()}


def write(snapshot: Snapshot) -> None:
    """Store the cases, beside those of their family that were not run."""
    STORED.mkdir(exist_ok=True)
    known = {case.name for case in list_cases()}
    stored = {name: sections for name, sections in (read() | snapshot).items() if name in known}
    for family in sorted({name.partition("/")[0] for name in stored}):
        cases = {name: stored[name] for name in sorted(stored) if name.partition("/")[0] == family}
        text = json.dumps(cases, ensure_ascii=False, indent=0, sort_keys=True) + "\n"
        plain, packed = STORED / f"{family}.json", STORED / f"{family}.json.xz"
        for path in (plain, packed):
            path.unlink(missing_ok=True)
        if len(text) > _COMPRESSED:
            packed.write_bytes(lzma.compress(text.encode(), preset=9))
        else:
            plain.write_text(text, encoding="utf-8")


def read() -> Snapshot:
    """The stored snapshot."""
    snapshot: Snapshot = {}
    for path in sorted(STORED.glob("*.json*")):
        text = lzma.decompress(path.read_bytes()).decode() if path.suffix == ".xz" else path.read_text(encoding="utf-8")
        snapshot |= json.loads(text)
    return snapshot
