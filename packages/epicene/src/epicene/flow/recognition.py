"""Scores recognition alone: recordings → transcripts → measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from epicene.errors import InputError
from epicene.flow import listening as speech
from epicene.flow import plan
from epicene.flow.ask import Progress
from epicene.measures.speech import recognition, speaker_gaps, utterance
from epicene.result import Result
from epicene.sets import TestSet
from epicene.speech import recognisers
from epicene.speech.recorded import clip_of
from epicene.store.cache import Cache
from epicene.store.hypotheses import Hypotheses
from epicene.types import Item
from epicene.version import __version__

PROTOCOL = "recognition"


def score(
    set_name: str, recogniser: str, langs: str = "en-de", cache: Cache | None = None, progress: Progress | None = None
) -> Result:
    """Measure what a recogniser writes down of a spoken set."""
    challenge, items = _opened(set_name, langs)
    listener = recognisers.load(recogniser)
    texts = speech.transcribe(listener, [clip_of(item) for item in items], cache, progress)
    return _result(challenge, items, texts, listener.identity)


def score_file(set_name: str, transcripts: Hypotheses, langs: str = "en-de") -> Result:
    """Measure transcripts that lie in a file, one a line in the order of the recordings."""
    challenge, items = _opened(set_name, langs)
    texts = [text for _, text in transcripts.paired(items, "en")]
    return _result(challenge, items, texts, transcripts.name)


def score_written(challenge: TestSet, items: Sequence[Item], texts: Sequence[str], system: str) -> Result:
    """Measure transcripts of a text set that one woman read aloud, such as the published WinoST."""
    spoken = {"voice": "winost", "speaker": "female"}
    read = [replace(item, labels={**item.labels, **spoken, "sentence": item.id}) for item in items]
    return _result(challenge, read, texts, system)


def _opened(set_name: str, langs: str) -> tuple[TestSet, list[Item]]:
    challenge = plan.open_set(set_name)
    items = list(challenge.items(plan.open_pair(langs, challenge)))
    if any(item.audio is None for item in items):
        raise InputError(f"set {challenge.name} is text; name recordings of it, as in -t spoken:{set_name}@DIR")
    return challenge, items


def _result(challenge: TestSet, items: Sequence[Item], texts: Sequence[str], system: str) -> Result:
    heard = [utterance(item, text) for item, text in zip(items, texts, strict=True)]
    return Result(
        set=challenge.name,
        langs=challenge.about.sources[0],
        system=system,
        protocol=PROTOCOL,
        signature=f"{challenge.name}|set:{challenge.version()}|protocol:{PROTOCOL}|v:{__version__}",
        n=len(items),
        spoken=True,
        genders={},
        empty=sum(not text.strip() for text in texts),
        measures=(*recognition(heard), *speaker_gaps(heard)),
    )
