"""What the snapshot knows of epicene and of the published files: the only place that a renaming may touch."""

from __future__ import annotations

import array
import base64
import csv
import gzip
import io
import json
import math
import os
import re
import subprocess
import sys
import tarfile
import threading
import wave
import zlib
from collections.abc import Callable, Iterable, Iterator
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from typing import Any

OWN = Path(__file__).parent / "own"
DATA = Path(os.environ.get("EPICENE_TEST_DATA", "/no-published-data"))
# Published sets by name, and what `epicene data add` takes them from.
SETS = {
    "winomt": "winomt", "wibemt": "wibemt", "mt-geneval": "mt-geneval.tar.gz", "mt-geneval-context": "mt-geneval.tar.gz",
    "gest": "gest/gest.tar.gz", "gate": "gate.tar.gz", "mittens": "mittens_dataset_v5.csv.gz",
    "dialogue": "wmt24-dialogue.tar.gz", "prates": "occupations",
}  # fmt: skip
ARCHIVES = {
    "geneval": "mt-geneval.tar.gz", "gest": "gest/gest.tar.gz", "dialogue": "wmt24-dialogue.tar.gz",
    "heard": "hearing2translate.tar.gz", "nbest": "nbest4.tar.gz", "gatedata": "gate.tar.gz",
}  # fmt: skip
_GENDERS = {"F": "feminine", "M": "masculine", "N": "neutral"}
_TURNED = {"he": "she", "she": "he", "his": "her", "her": "his", "him": "her", "himself": "herself"}
_COMMAND = re.compile(r"^  ([a-z][\w-]*) {2,}\S", re.MULTILINE)
_WIDTH = "100"
# Cases run in folders of their own; the package is the one that this process would import.
_PACKAGE = str(Path(next(iter(find_spec("epicene").submodule_search_locations))).parent.resolve())  # type: ignore[union-attr, arg-type]


def run_epicene(arguments: Iterable[str], home: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the command line as a user would, in a folder and with a home of its own."""
    variables = {name: text for name, text in os.environ.items() if name != "FORCE_COLOR"}
    variables["PYTHONPATH"] = os.pathsep.join(filter(None, (_PACKAGE, os.environ.get("PYTHONPATH"))))
    variables |= {"EPICENE_HOME": str(home), "COLUMNS": _WIDTH, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, "-m", "epicene", *arguments],
        stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", env=variables, cwd=folder, timeout=600,
    )  # fmt: skip


def read_verdicts(path: Path) -> Iterator[tuple[str, str, str]]:
    """Gender, step and a mark of the evidence, a letter each but the step, of a file that ``--verdicts`` wrote."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        spans = json.dumps([span[1:] for span in row.get("evidence", [])])
        mark = base64.b64encode(zlib.crc32(spans.encode()).to_bytes(4, "big"))[:1].decode()
        yield row["gender"][0], row["step"], mark


def read_helps(home: Path, folder: Path, command: tuple[str, ...] = ()) -> dict[str, list[str]]:
    """The help of a command and of all below it."""
    text = run_epicene([*command, "--help"], home, folder).stdout.replace("python -m epicene", "epicene")
    helps = {" ".join(command) or "epicene": text.splitlines()}
    if "COMMAND [ARGS]" in text:
        for name in _COMMAND.findall(text.partition("--help")[2]):
            helps |= read_helps(home, folder, (*command, name))
    return helps


class _Visible(HTMLParser):
    """Collects the text of a page that a reader sees, a line for each run of text."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self._hidden += tag in ("script", "style", "svg")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("script", "style", "svg")

    def handle_data(self, data: str) -> None:
        if not self._hidden and data.strip():
            self.lines.append(" ".join(data.split()))


def read_page(path: Path) -> list[str]:
    """The visible text of an HTML page."""
    page = _Visible()
    page.feed(path.read_text(encoding="utf-8"))
    return page.lines


class Inputs(dict[str, str]):
    """Files that command lines name as ``$name``, made when the first case asks for them."""

    def __init__(self, folder: Path) -> None:
        super().__init__(data=str(DATA), own=str(OWN), tmp=str(folder))
        self.folder = folder
        self._lock = threading.RLock()

    def __missing__(self, name: str) -> str:
        with self._lock:
            if name not in self:
                path = self.folder / name
                path.mkdir(exist_ok=True)
                _MAKERS.get(name, _extract)(self, path)
                self[name] = str(path)
            return self[name]

    def open_home(self, sets: tuple[str, ...]) -> Path:
        """A home in which these published sets, and no others, are at hand."""
        with self._lock:
            home = self.folder / "homes" / ("+".join(sets) or "none")
            if not home.exists():
                home.mkdir(parents=True)
                for name in sets:
                    run_epicene(["data", "add", name, str(DATA / SETS[name])], home, self.folder).check_returncode()
            return home


def _extract(inputs: Inputs, folder: Path) -> None:
    with tarfile.open(DATA / ARCHIVES[folder.name]) as archive:
        archive.extractall(folder, filter="data")


def _read_table(path: Path) -> list[dict[str, str]]:
    packed = path.read_bytes()
    text = (gzip.decompress(packed) if path.suffix == ".gz" else packed).decode("utf-8")
    return list(csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE))


def _write_custom(stem: Path, rows: list[dict[str, str]]) -> None:
    """A set of one's own, and its translations, from rows that name a person; ids are the lines of the file."""
    table = ["id\tsource\tfocus\tstart\texpected"]
    for number, row in enumerate(rows, 1):
        expected = _GENDERS.get(row.get("label", ""), "")
        table.append("\t".join((str(number), row["source"], row["person"], row["start"], expected)))
    stem.with_suffix(".tsv").write_text("\n".join(table) + "\n", encoding="utf-8")
    stem.with_suffix(".txt").write_text("".join(row["translation"] + "\n" for row in rows), encoding="utf-8")


def _make_readings(inputs: Inputs, folder: Path) -> None:
    """``open`` as women and as men, news, proxy and people: a custom set and its lines for each file and language."""
    for path in sorted((DATA / "open").glob("en-*.tsv.gz")):
        for letter, column in (("F", "feminine"), ("M", "masculine")):
            rows = [
                row | {"person": row["focus"], "label": letter, "translation": row[column]} for row in _read_table(path)
            ]
            _write_custom(folder / f"open-{column}-{path.name[3:5]}", rows)
    for path in sorted((DATA / "news").glob("??.tsv")):
        _write_custom(folder / f"news-{path.stem}", _read_table(path))
    for path in sorted((DATA / "people").glob("*.tsv")):
        language, system = path.stem.split(".")
        _write_custom(folder / f"people-{system}-{language}", _read_table(path))
    proxy = _read_table(DATA / "news" / "proxy.tsv")
    for language in sorted({row["lang"] for row in proxy}):
        _write_custom(folder / f"proxy-{language}", [row for row in proxy if row["lang"] == language])


def _export(inputs: Inputs, name: str, pair: str, kind: str) -> list[str]:
    home = inputs.open_home((name,) if name in SETS else ())
    return run_epicene(["sets", "export", name, "-l", pair, "-f", kind], home, inputs.folder).stdout.splitlines()


def _squeeze(text: str) -> str:
    return re.sub(r"\W", "", text)


def _make_gate(inputs: Inputs, folder: Path) -> None:
    """GATE's own translations: everybody a woman, then everybody a man, line by line."""
    for language in ("es", "fr", "it"):
        variants = {}
        for path in Path(inputs["gatedata"]).rglob(f"{language.upper()}_?_variants.tsv"):
            for row in _read_table(path):
                names = [name for name in row if re.fullmatch("f+|m+", name)]
                variants[_squeeze(row["source"])] = [row[name] for name in sorted(names)]
        sources = _export(inputs, "gate", f"en-{language}", "text")
        lines = [variants[_squeeze(source)][number % 2] for number, source in enumerate(sources)]
        (folder / f"{language}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _make_mittens(inputs: Inputs, folder: Path) -> None:
    """MiTTenS's own translations; every third into English with he and she exchanged."""
    with gzip.open(DATA / SETS["mittens"], "rt", encoding="utf-8") as stream:
        targets = {row[""]: " ".join(row["targets"].split()) for row in csv.DictReader(stream)}
    for pair in ("es-en", "fi-en", "tr-en", "en-de", "en-es"):
        lines = [targets[json.loads(line)["id"]] for line in _export(inputs, "mittens", pair, "jsonl")]
        if pair.endswith("-en"):
            lines[::3] = [
                re.sub(r"\b\w+\b", lambda word: _TURNED.get(word[0].lower(), word[0]), line) for line in lines[::3]
            ]
        (folder / f"{pair}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _make_jobs(inputs: Inputs, folder: Path) -> None:
    """Occupations with a pronoun by a fixed rule."""
    for pair in ("hu-en", "fi-en", "tr-en"):
        jobs = [json.loads(line).get("english") or "person" for line in _export(inputs, "occupations", pair, "jsonl")]
        lines = [f"{('He', 'She', 'They', 'He')[len(job) * 7 % 4]} is a {job}." for job in jobs]
        (folder / f"{pair}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


_JOBS = {
    "nurse": ("Krankenschwester", "Krankenpfleger"), "doctor": ("Ärztin", "Arzt"), "teacher": ("Lehrerin", "Lehrer"),
    "engineer": ("Ingenieurin", "Ingenieur"), "cook": ("Köchin", "Koch"), "baker": ("Bäckerin", "Bäcker"),
    "lawyer": ("Anwältin", "Anwalt"), "judge": ("Richterin", "Richter"), "farmer": ("Bäuerin", "Bauer"),
    "secretary": ("Sekretärin", "Sekretär"), "painter": ("Malerin", "Maler"), "mechanic": ("Mechanikerin", "Mechaniker"),
}  # fmt: skip


def _make_team(inputs: Inputs, folder: Path) -> None:
    """A team's own set of 240 sentences, three systems that err more and more, and an epicene.toml."""
    rows = []
    for number in range(240):
        job = list(_JOBS)[number % 12]
        gender = ("feminine", "masculine")[number // 12 % 2]
        pronoun = "her" if gender == "feminine" else "his"
        rows.append((f"The {job} found {pronoun} seat in row {number}.", job, gender))
    table = [
        f"{number}\t{source}\t{job}\t{gender}\tg{number % 3}\t{job}"
        for number, (source, job, gender) in enumerate(rows)
    ]
    (folder / "team.tsv").write_text("\n".join(["id\tsource\tfocus\texpected\tgroup\toccupation", *table, ""]), "utf-8")
    for system, share in (("good", 40), ("fair", 9), ("poor", 2)):
        lines = []
        for number, (_, job, gender) in enumerate(rows):
            woman = gender == "feminine" and number * 7 % 11 % share != 1
            person = f"Die {_JOBS[job][0]}" if woman else f"Der {_JOBS[job][1]}"
            lines.append(f"{'Blorp' if number % 60 == 59 else person} fand den Platz in Reihe {number}.")
        (folder / f"{system}.en-de.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for system in ("good", "poor"):
        text = f'[gate]\nsystem = "file:{folder}/{system}.en-de.txt"\nmax-drop = 2\nmax-undetected = 10\n\n'
        check = f'[[gate.check]]\nset = "custom:{folder}/team.tsv"\nlangs = ["en-de"]\n'
        (folder / system).mkdir()
        (folder / system / "epicene.toml").write_text(text + check, encoding="utf-8")


def _make_spoken(inputs: Inputs, folder: Path) -> None:
    """Our own sentences hummed by two voices, what a recogniser may have heard, and translations for either voice."""
    sources = [row["source"] for row in _read_table(OWN / "sentences.tsv")]
    lines = (OWN / "sentences.de").read_text(encoding="utf-8").splitlines()
    for pitch, (voice, speaker) in enumerate((("anna", "female"), ("ben", "male")), 2):
        (folder / "audio" / voice).mkdir(parents=True)
        for number in range(len(sources)):
            tone = [int(6000 * math.sin(math.tau * (100 * pitch + number) * step / 16000)) for step in range(32000)]
            with wave.open(str(folder / "audio" / voice / f"{number + 1}.wav"), "wb") as stream:
                stream.setparams((1, 2, 16000, 0, "NONE", ""))
                stream.writeframes(array.array("h", tone).tobytes())
        add = ["speech", "add", str(folder / "audio"), "-t", f"custom:{OWN}/sentences.tsv", "--voice", voice]
        run_epicene([*add, "--speaker", speaker], inputs.open_home(()), folder).check_returncode()
    heard = [re.sub(r"\bshe\b", "he", source.lower().rstrip(".")) for source in sources]
    for name, texts in (("heard", heard), ("lines", lines)):
        (folder / f"{name}.txt").write_text("".join(f"{text}\n{text}\n" for text in texts), encoding="utf-8")


def write_decisions(run: Path, path: Path) -> None:
    """Decisions on every third sentence of a run: two people, who agree with all but every seventh verdict."""
    verdicts = [json.loads(line) for line in (run / "verdicts.jsonl").read_text(encoding="utf-8").splitlines()]
    (result,) = json.loads((run / "results.json").read_text(encoding="utf-8"))
    rows = ["set\tlangs\tsystem\tid\treviewer\tgender\tat"]
    for number, verdict in enumerate(verdicts[::3]):
        other = {"feminine": "masculine", "masculine": "neutral"}.get(verdict["gender"], "feminine")
        for reviewer in ("anna", "ben")[: 1 + number % 2]:
            gender = (
                other if number % 7 == 0 and reviewer == "anna" else verdict["gender"].replace("unknown", "neutral")
            )
            key = (result["set"], result["langs"], result["system"], verdict["id"])
            rows.append("\t".join((*key, reviewer, gender, "2026-01-01T00:00:00+00:00")))
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")


_MAKERS: dict[str, Callable[[Inputs, Path], None]] = {
    "readings": _make_readings, "gatelines": _make_gate, "mittenslines": _make_mittens, "jobs": _make_jobs, "team": _make_team,
    "spoken": _make_spoken,
}  # fmt: skip
