"""Costa-jussà et al. 2022, "Evaluating Gender Bias in Speech Translation": Tables 4 and 5, its figures of recognition,
speech against text (Section 6.3) and examples as in Table 3; and what it leaves out: what is lost where, the speaker's
gender, voices that a model knows, and where errors come from."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path

from epicene.errors import EpiceneError, EvidenceError, InputError
from epicene.flow import audit, hear, plan
from epicene.flow.translate import open_asker, open_cache, translate_items
from epicene.options import Asking
from epicene.output.table import Table
from epicene.speech import manifest, recognisers, synthesis
from epicene.speech.recordings import clip_of
from epicene.speech.voices import load as load_voice
from epicene.studies import Progress, Study, StudyPlan
from epicene.types import Output
from epicene_lab.studies.winost import losses, paper, voices
from epicene_lab.studies.winost.tracks import (
    CASCADE,
    WRITTEN,
    Given,
    Track,
    open_tracks,
    read_folder,
    read_transcripts,
    read_voices,
)

TITLE = "Costa-jussà et al. 2022: WinoST, gender in speech translation and recognition"
INPUTS = {
    "run": "a run folder of 'epicene audit -t winost:DIR -l en-es … -s SYSTEM -o RUN', of a cascade, of a direct "
    "system, or of text (-t winomt); may be given again, or by a name of your own",
    "recordings": "or a folder of recordings (or winost), on which the shipped systems are run; into an empty one "
    "WinoMT is read aloud; as you like with -i langs=en-es,en-de -i sentences=400 -i voices=slt,rms -i systems=NAME,…",
    "heard": "what a direct system writes down: a table of 'epicene speech transcribe DIR -r RECOGNISER -o TSV'",
    "training": "training.json of a direct model, which names the voices that it was trained on",
}
_SETTINGS = ("langs", "sentences", "voices", "systems")
_SENTENCES, _SEED, _VOICES, _LANGS = 400, 2022, "slt,rms", "en-de,en-es,en-fr"
_SYSTEMS = ("cascade:pocketsphinx+bundled", "direct:bundled")
_PUBLISHED = "winost"  # in place of a folder: the published recordings


def run(inputs: Mapping[str, str]) -> Study:
    """The paper's tables, ours beside them wherever a run has the language pair."""
    pairs, missing, signatures = _pairs(inputs)
    tables = [paper.table_4(pairs), paper.table_5(pairs), paper.tabulate_recognition(pairs)]
    for systems in pairs.values():
        tables += _beyond(systems)
    return Study("winost", TITLE, tuple(tables), missing, signatures)


def prepare(inputs: Mapping[str, str], progress: Progress) -> None:
    """Speak, hear and translate what is not there yet, into the cache, for somebody who watches."""
    if "recordings" not in inputs:
        return
    plan_of_study = _plan(inputs, progress)
    outputs: list[Output] = []
    with open_asker(Asking(progress=progress)) as asker:
        for task, named in product(plan_of_study.tasks, plan_of_study.systems):
            with suppress(InputError):  # told of with the results
                outputs += translate_items(named, task.items, task.pair, asker).outputs
    _transcripts(plan_of_study, outputs, progress)


def _pairs(inputs: Mapping[str, str]) -> tuple[dict[str, list[Track]], dict[str, str], tuple[str, ...]]:
    if "recordings" not in inputs and (alone := next((name for name in _SETTINGS if name in inputs), None)):
        raise InputError(f"-i {alone}={inputs[alone]} goes with -i recordings=DIR")
    given: list[Given] = []
    heard: dict[str, str] = {}
    missing: dict[str, str] = {}
    if "recordings" in inputs:
        given, heard, missing = _results(inputs)
    own = [name for name in inputs if name not in ("recordings", "training", *_SETTINGS)]
    for name in own:
        if Path(inputs[name]).is_file():
            heard |= read_transcripts(inputs[name])
        else:
            given += read_folder(inputs[name], "" if name.partition(" ")[0] == "run" else name)
    if not given:
        return {}, dict(INPUTS), ()
    trained = read_voices(Path(inputs["training"])) if "training" in inputs else None
    return open_tracks(given, heard, trained), missing, tuple(dict.fromkeys(each.result.signature for each in given))


def _beyond(own: Sequence[Track]) -> Iterator[Table]:
    """What the paper leaves out, of one language pair."""
    yield from losses.tabulate_losses(own)
    yield from voices.by_voice(own)
    yield from voices.speakers(own)
    for track in own:
        if track.kind == CASCADE and (examples := losses.tabulate_causes(track)):
            yield examples
    if examples := losses.tabulate_examples(own):
        yield examples


def _plan(inputs: Mapping[str, str], progress: Progress | None = None) -> plan.Plan:
    """The systems on the recordings, which are spoken now where there are none."""
    name = inputs["recordings"]
    folder = Path(name)
    asked = "sentences" in inputs or "voices" in inputs
    if name != _PUBLISHED and (asked or not (folder / manifest.NAME).is_file()):
        _speak(inputs, folder, progress)
    systems = inputs["systems"].split(",") if "systems" in inputs else _SYSTEMS
    spoken = _PUBLISHED if name == _PUBLISHED else f"{_PUBLISHED}:{name}"
    return plan.open_plan([spoken], inputs.get("langs", _LANGS).split(","), systems)


def _speak(inputs: Mapping[str, str], folder: Path, progress: Progress | None) -> None:
    """Speak sentences of WinoMT into a folder."""
    challenge = plan.open_set(WRITTEN)
    items = list(challenge.items(plan.open_pair("en-de", challenge)))
    count = _number(inputs.get("sentences", str(_SENTENCES)), len(items))
    drawn = sorted(random.Random(_SEED).sample(range(len(items)), count))
    chosen = [load_voice(name) for name in inputs.get("voices", _VOICES).split(",")]
    sentences = [(items[number].id, items[number].source) for number in drawn]
    synthesis.synthesise(sentences, chosen, folder, progress)


def _number(argument: str, most: int) -> int:
    if not argument.isdecimal() or not 1 <= int(argument) <= most:
        raise InputError(f"-i sentences={argument}: expected a number from 1 to {most}")
    return int(argument)


def _results(inputs: Mapping[str, str]) -> tuple[list[Given], dict[str, str], dict[str, str]]:
    """The results of the systems that are here, what the direct one writes down, and why any is left out."""
    planned = _plan(inputs)
    given: list[Given] = []
    left_out: dict[str, str] = {}
    failed: EpiceneError | None = None
    with open_asker() as asker:
        for named, task in product(planned.systems, planned.tasks):
            try:
                results, _ = audit.audit_plan(replace(planned, systems=(named,), tasks=(task,)), asker)
            except (EvidenceError, InputError) as error:
                # One that does not know the languages, or whose answers cannot be believed, leaves others their tables.
                failed = error
                left_out[f"{named.spec}, {task.pair}"] = str(error)
            else:
                given += [Given(result, named.spec) for result in results]
    if not given:
        raise failed or EvidenceError("nothing was measured")
    believed = {each.spec for each in given}
    left = replace(planned, systems=tuple(named for named in planned.systems if named.spec in believed))
    outputs = (verdict.output for each in given for verdict in each.result.verdicts)
    return given, _transcripts(left, outputs), left_out


def _transcripts(planned: plan.Plan, outputs: Iterable[Output], progress: Progress | None = None) -> dict[str, str]:
    """What the first direct system that is a recogniser too writes down of the recordings that could be heard."""
    names = (named.spec for named in planned.systems)
    spec = next((each for each in names if each.partition(":")[0] in recognisers.RECOGNISERS.names()), None)
    if spec is None:
        return {}
    unheard = {output.item.id for output in outputs if output.refused}
    items = [item for item in planned.tasks[0].items if item.id not in unheard]
    with open_cache(True) as cache:
        texts = hear.transcribe(recognisers.load(spec), [clip_of(item) for item in items], cache, progress)
    return {item.id: text for item, text in zip(items, texts, strict=True)}


STUDY = StudyPlan(
    TITLE, INPUTS, run, more="a run folder, by the name that the tables shall call it", prepare=prepare, again=("run",)
)
