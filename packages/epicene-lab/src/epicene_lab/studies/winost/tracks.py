"""Systems on the same recordings: what run folders hold of them, and what a cascade's translator makes of the text."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from epicene.check.check import check_results
from epicene.errors import InputError
from epicene.files import read_lines
from epicene.flow import plan
from epicene.flow.score import read
from epicene.measures.outcomes import Outcomes
from epicene.measures.speech import Utterance, utterance
from epicene.models import model_folder
from epicene.result import Result
from epicene.sets.winomt import MEASURES
from epicene.store import runs
from epicene.tables import table
from epicene.types import Measure, Output, Verdict

DIRECT, CASCADE, TEXT = "direct", "cascade", "text"
SPOKEN, WRITTEN = ("winost", "spoken:winomt"), "winomt"
TRAINING = "training.json"  # beside a direct model: the voices that it was trained on
_TABLE = ("id", "voice", "transcript")  # of what 'speech transcribe' writes


class Given(NamedTuple):
    """A result and where it comes from."""

    result: Result
    spec: str = ""  # the system's name as it was given, where that is known
    label: str = ""  # what the user calls it


@dataclass(frozen=True)
class Track:
    """A system on recordings, or on the sentences that are said in them."""

    langs: str
    kind: str
    name: str  # as the tables call it: its kind, numbered where there are several
    system: str
    protocol: str
    signature: str
    verdicts: Mapping[str, Verdict]  # by recording
    transcripts: Mapping[str, str]  # by recording; none of a system that writes nothing down
    trained: frozenset[str] | None = None  # voices that it was trained on, as PROGRAM:VOICE; None: it does not say

    def measured(self, recordings: Iterable[str] | None = None) -> dict[tuple[str, str], Measure]:
        """WinoMT's measures by name and group, of all recordings or of some."""
        names = self.verdicts if recordings is None else recordings
        outcomes = Outcomes.of(MEASURES, (self.verdicts[name] for name in names))
        return {(measure.name, measure.group): measure for measure in MEASURES.compute(outcomes)}

    @cached_property
    def utterances(self) -> dict[str, Utterance]:
        """What came of each recording."""
        return {
            name: replace(
                utterance(verdict.output.item, self.transcripts.get(name)),
                right=verdict.right,
                gender=verdict.gender,
                cause=verdict.cause,
            )
            for name, verdict in self.verdicts.items()
        }

    def seen(self, voice: str) -> bool | None:
        """Whether it was trained on a voice of the recordings; None where it was not trained on speech, or says not."""
        if self.trained is None:
            return None
        return voice in self.trained or _program_voice(voice) in self.trained

    def only(self, recordings: Sequence[str]) -> Track:
        """The same on these recordings."""
        heard = {recording: self.transcripts[recording] for recording in recordings if recording in self.transcripts}
        return replace(
            self, verdicts={recording: self.verdicts[recording] for recording in recordings}, transcripts=heard
        )


def read_folder(path: str, label: str = "") -> list[Given]:
    """The results of a run folder that are of WinoST or of WinoMT's text."""
    folder = Path(path)
    results = runs.read(folder)
    specs = runs.read_record(folder).get("task", {}).get("systems", [])
    known = bool(specs) and len(results) % len(specs) == 0
    winost_results = [
        Given(result, specs[number % len(specs)] if known else "", label)
        for number, result in enumerate(results)
        if result.set in SPOKEN or result.set == WRITTEN
    ]
    if not winost_results:
        raise InputError(
            f"{path} holds no result on winost; make one with: epicene audit -t winost -l en-es -s SYSTEM -o {path}"
        )
    check_results([given.result for given in winost_results], False)
    return winost_results


def read_transcripts(path: str) -> dict[str, str]:
    """What a table of 'epicene speech transcribe' says of each recording."""
    lines = read_lines(path)
    header = next(lines, "").split("\t")
    if not set(_TABLE) <= set(header):
        raise InputError(f"{path}: no run folder, and no table of 'epicene speech transcribe' with {', '.join(_TABLE)}")
    key, voice, text = (header.index(name) for name in _TABLE)
    transcripts = {}
    for number, line in enumerate(lines, 2):
        cells = line.split("\t")
        if len(cells) != len(header):
            raise InputError(f"{path}:{number}: {len(cells)} columns, expected {len(header)} ({', '.join(header)})")
        transcripts[f"{cells[key]}/{cells[voice]}"] = cells[text]
    return transcripts


def trained_voices(spec: str) -> frozenset[str] | None:
    """The voices that a direct model was trained on, from the file beside it; None where there is none."""
    name, _, argument = spec.partition(":")
    if name != DIRECT:
        return None
    argument = argument.partition("?")[0]
    path = model_folder(DIRECT) if argument == "bundled" else Path(argument)
    return read_voices(path / TRAINING) if (path / TRAINING).is_file() else None


def read_voices(path: Path) -> frozenset[str]:
    """The voices that a ``training.json`` names."""
    path = path / TRAINING if path.is_dir() else path
    try:
        voices = json.loads(path.read_text(encoding="utf-8"))["voices"]
    except (OSError, ValueError, KeyError, TypeError):
        voices = None
    if not isinstance(voices, list) or not all(isinstance(voice, str) for voice in voices):
        raise InputError(
            f'{path}: cannot be read as {{"voices": ["flite:slt", …]}}; expected the {TRAINING} of a direct model'
        )
    return frozenset(voices)


def _program_voice(name: str) -> str:
    rows = {row["name"]: f"{row['program']}:{row['voice']}" for row in table("speech/tables/voices.tsv")}
    return rows.get(name, name)


def open_tracks(
    given: Sequence[Given], heard: Mapping[str, str], trained: frozenset[str] | None = None
) -> dict[str, list[Track]]:
    """The systems of each language pair on the recordings that all of them have: direct, cascades, text."""
    by_langs: dict[str, list[Track]] = {}
    for langs in dict.fromkeys(each.result.langs for each in given):
        own = [each for each in given if each.result.langs == langs]
        spoken = [_spoken(each, heard, trained) for each in own if each.result.set in SPOKEN]
        if spoken:
            by_langs[langs] = _named(_together([*spoken, *_texts(own, spoken)], langs))
    if not by_langs:
        raise InputError(
            "no run has a result on winost, only on text; make one with: epicene audit -t winost:DIR -l en-es "
            "-s cascade:pocketsphinx+bundled -o DIR"
        )
    return by_langs


def _spoken(given: Given, heard: Mapping[str, str], trained: frozenset[str] | None) -> Track:
    result = given.result
    verdicts = {verdict.output.item.id: verdict for verdict in result.verdicts}
    kind = DIRECT
    if result.system.startswith("cascade:"):
        kind = TEXT if result.system.startswith("cascade:oracle+") else CASCADE
    wrote: Mapping[str, str] = {}
    if kind == CASCADE:
        wrote = {name: verdict.output.heard.transcript for name, verdict in verdicts.items() if verdict.output.heard}
    elif kind == DIRECT:
        wrote = {name: heard[name] for name in verdicts if name in heard}
    voices = None
    if kind == DIRECT:
        voices = trained if trained is not None else trained_voices(given.spec)
    return Track(
        result.langs, kind, given.label, result.system, result.protocol, result.signature, verdicts, wrote, voices
    )


def _texts(own: Sequence[Given], spoken: Sequence[Track]) -> list[Track]:
    """The text translators of a pair: those of runs on WinoMT; else the first cascade's, which it keeps beside."""
    texts = [_over(each, spoken) for each in own if each.result.set == WRITTEN]
    if not texts and all(each.kind != TEXT for each in spoken):
        texts = [_inside(each) for each in spoken if each.kind == CASCADE][:1]
    return texts


def _over(text: Given, spoken: Sequence[Track]) -> Track:
    """A run on text as if it were on the recordings: what a sentence becomes counts for all who say it."""
    result = text.result
    written = {verdict.output.item.id: verdict for verdict in result.verdicts}
    verdicts: dict[str, Verdict] = {}
    for track in spoken:
        for name, verdict in track.verdicts.items():
            item = verdict.output.item
            if other := written.get(item.labels["sentence"]):
                verdicts[name] = other._replace(output=replace(other.output, item=item))
    return Track(result.langs, TEXT, text.label, result.system, result.protocol, result.signature, verdicts, {})


def _inside(cascade: Track) -> Track:
    """The cascade's translator on what was really said; each sentence is read once."""
    task = plan.open_task(
        plan.open_set("winost"), plan.open_pair(cascade.langs, plan.open_set("winost")), cascade.protocol
    )
    system = cascade.system.partition("+")[2]
    first: dict[str, Output] = {}
    for verdict in cascade.verdicts.values():
        output = verdict.output
        if output.heard:
            text = Output(output.item, system, output.target, output.heard.reference)
            first.setdefault(output.item.labels["sentence"], text)
    said = dict(zip(first, read(task, list(first.values())), strict=True))
    verdicts = {}
    for name, verdict in cascade.verdicts.items():
        item = verdict.output.item
        if other := said.get(item.labels["sentence"]):
            verdicts[name] = other._replace(output=replace(other.output, item=item))
    return Track(cascade.langs, TEXT, "", system, cascade.protocol, cascade.signature, verdicts, {})


def _together(found_tracks: Sequence[Track], langs: str) -> list[Track]:
    shared = [name for name in found_tracks[0].verdicts if all(name in track.verdicts for track in found_tracks)]
    if not shared:
        systems = ", ".join(track.system for track in found_tracks)
        raise InputError(f"{langs}: the runs share no recording ({systems}); run them on one folder of recordings")
    if len({track.protocol for track in found_tracks}) > 1:
        raise InputError(f"{langs}: the runs were read by different protocols; run them with the same --protocol")
    order = (DIRECT, CASCADE, TEXT)
    return sorted((track.only(shared) for track in found_tracks), key=lambda track: order.index(track.kind))


def _named(unnamed: Sequence[Track]) -> list[Track]:
    """Tracks by the user's name for them, else by their kind, numbered where there are several."""
    names: list[str] = []
    used: Counter[str] = Counter()
    for track in unnamed:
        name = track.name or track.kind
        used[name] += 1
        names.append(name if used[name] == 1 else f"{name} {used[name]}")
    return [replace(track, name=name) for track, name in zip(unnamed, names, strict=True)]
