"""The study from nothing: WinoMT read aloud, heard and translated by the systems that ship with epicene."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path

from epicene.errors import EpiceneError, EvidenceError, InputError
from epicene.flow import audit, hear, plan
from epicene.flow.translate import open_asker, open_cache, translated
from epicene.options import Asking
from epicene.sets.winost.study.tracks import WRITTEN, Given
from epicene.speech import manifest, recognisers, synthesis, voices
from epicene.speech.recordings import clip_of
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
    planned = _planned(inputs)
    made: list[Output] = []
    with open_asker(Asking(progress=progress)) as by:
        for task, named in product(planned.tasks, planned.systems):
            with suppress(InputError):  # told of with the results
                made += translated(named, task.items, task.pair, by).outputs
    _transcripts(planned, made, progress)


def results(inputs: Mapping[str, str]) -> tuple[list[Given], dict[str, str], dict[str, str]]:
    """The results of the systems that are here, what the direct one writes down, and why any is left out."""
    ready(inputs)
    planned = _planned(inputs)
    given: list[Given] = []
    left_out: dict[str, str] = {}
    failed: EpiceneError | None = None
    with open_asker() as by:
        for named, task in product(planned.systems, planned.tasks):
            try:
                own, _ = audit.audit_plan(replace(planned, systems=(named,), tasks=(task,)), by)
            except (EvidenceError, InputError) as error:
                # One that does not know the languages, or whose answers cannot be believed, leaves others their tables.
                failed = error
                left_out[f"{named.spec}, {task.pair}"] = str(error)
            else:
                given += [Given(result, named.spec) for result in own]
    if not given:
        raise failed or EvidenceError("nothing was measured")
    believed = {each.spec for each in given}
    left = replace(planned, systems=tuple(named for named in planned.systems if named.spec in believed))
    outputs = (verdict.output for each in given for verdict in each.result.verdicts)
    return given, _transcripts(left, outputs), left_out


def _planned(inputs: Mapping[str, str]) -> plan.Plan:
    spoken = PUBLISHED if inputs["recordings"] == PUBLISHED else f"{PUBLISHED}:{inputs['recordings']}"
    systems = inputs["systems"].split(",") if "systems" in inputs else [CASCADE, DIRECT]
    return plan.open_plan([spoken], inputs.get("langs", LANGS).split(","), systems)


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
