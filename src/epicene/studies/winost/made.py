"""The study from nothing: WinoMT read aloud, heard and translated by the systems that ship with epicene."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from epicene.errors import EpiceneError, EvidenceError, InputError
from epicene.pipeline import audit, listening, plan
from epicene.pipeline.translate import means, opened_cache, translated
from epicene.speech import manifest, recognisers, synthesis, voices
from epicene.speech.recorded import clip_of
from epicene.studies.winost.tracks import WRITTEN, Given
from epicene.types import Output

Progress = Callable[[int, int], None]
SENTENCES, SEED, VOICES, LANGS = 400, 2022, "slt,rms", "en-de,en-es,en-fr"
CASCADE, DIRECT = "cascade:pocketsphinx+bundled", "direct:bundled"
PUBLISHED = "winost"  # in place of a folder: the published recordings


def ready(inputs: Mapping[str, str], progress: Progress | None = None) -> None:
    """Speak WinoMT into the folder of recordings, unless there are some."""
    if inputs["recordings"] == PUBLISHED:
        return
    folder = Path(inputs["recordings"])
    if (folder / manifest.NAME).is_file() and not _asked(inputs):
        return
    challenge = plan.open_set(WRITTEN)
    items = list(challenge.items(plan.open_pair("en-de", challenge)))
    count = _number(inputs.get("sentences", str(SENTENCES)), len(items))
    drawn = sorted(random.Random(SEED).sample(range(len(items)), count))
    chosen = [voices.load(name) for name in inputs.get("voices", VOICES).split(",")]
    sentences = [(items[number].id, items[number].source) for number in drawn]
    synthesis.synthesise(sentences, chosen, folder, progress)


def _asked(inputs: Mapping[str, str]) -> bool:
    return "sentences" in inputs or "voices" in inputs


def _number(given: str, most: int) -> int:
    if not given.isdecimal() or not 1 <= int(given) <= most:
        raise InputError(f"-i sentences={given}: expected a number from 1 to {most}")
    return int(given)


def translate(inputs: Mapping[str, str], progress: Progress) -> None:
    """Speak, hear and translate what is not in the cache yet."""
    ready(inputs, progress)
    planned, _ = _planned(inputs)
    with means(progress=progress) as by:
        made = [
            translated(named, task.items, task.pair, by).outputs for task in planned.tasks for named in planned.systems
        ]
    _transcripts(planned, chain.from_iterable(made), progress)


def results(inputs: Mapping[str, str]) -> tuple[list[Given], dict[str, str], dict[str, str]]:
    """The results of the systems that are here, what the direct one writes down, and why any is left out."""
    ready(inputs)
    planned, left_out = _planned(inputs)
    given: list[Given] = []
    with means() as by:
        for named in planned.systems:
            try:
                own = audit.audit(replace(planned, systems=(named,)), by)
            except EvidenceError as error:  # one whose answers cannot be believed leaves the others their tables
                left_out[named.spec] = str(error)
            else:
                given += [Given(result, named.spec) for result in own]
    if not given:
        raise EvidenceError("; ".join(left_out.values()))
    believed = {each.spec for each in given}
    left = replace(planned, systems=tuple(named for named in planned.systems if named.spec in believed))
    outputs = (verdict.output for each in given for verdict in each.result.verdicts)
    return given, _transcripts(left, outputs), left_out


def _planned(inputs: Mapping[str, str]) -> tuple[plan.Plan, dict[str, str]]:
    spoken = PUBLISHED if inputs["recordings"] == PUBLISHED else f"{PUBLISHED}:{inputs['recordings']}"
    systems, left_out = present(inputs["systems"].split(",") if "systems" in inputs else [CASCADE, DIRECT])
    return plan.open_plan([spoken], inputs.get("langs", LANGS).split(","), systems), left_out


def present(systems: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """The systems that can be opened; the direct one that ships may be missing, and why is told."""
    found, left_out = [], {}
    for spec in systems:
        try:
            plan.open_named(spec)
        except EpiceneError as error:
            if spec != DIRECT:
                raise
            left_out[spec] = str(error)
        else:
            found.append(spec)
    return found, left_out


def _transcripts(planned: plan.Plan, outputs: Iterable[Output], progress: Progress | None = None) -> dict[str, str]:
    """What the first direct system that is a recogniser too writes down of the recordings that could be heard."""
    names = (named.spec for named in planned.systems)
    spec = next((each for each in names if each.partition(":")[0] in recognisers.RECOGNISERS.names()), None)
    if spec is None:
        return {}
    unheard = {output.item.id for output in outputs if output.refused}
    items = [item for item in planned.tasks[0].items if item.id not in unheard]
    with opened_cache(True) as cache:
        texts = listening.transcribe(recognisers.load(spec), [clip_of(item) for item in items], cache, progress)
    return {item.id: text for item, text in zip(items, texts, strict=True)}
