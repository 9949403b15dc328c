"""Costa-jussà et al. 2022, "Evaluating Gender Bias in Speech Translation": Tables 4 and 5, its figures of recognition,
speech against text (Section 6.3) and examples as in Table 3; and what it leaves out: what is lost where, the speaker's
gender, voices that a model knows, and where errors come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from epicene.errors import InputError
from epicene.output.table import Table
from epicene.sets.winost.study import losses, made, paper, voices
from epicene.sets.winost.study.tracks import CASCADE, Given, Track, of_folder, tracks, transcripts_of, voices_in
from epicene.studies import Progress, Study, StudyPlan

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


def run(inputs: Mapping[str, str]) -> Study:
    """The paper's tables, ours beside them wherever a run has the language pair."""
    found, missing, signatures = _pairs(inputs)
    tables = [paper.table_4(found), paper.table_5(found), paper.recognised(found)]
    for each in found.values():
        tables += _beyond(each)
    return Study("winost", TITLE, tuple(tables), missing, signatures)


def prepare(inputs: Mapping[str, str], progress: Progress) -> None:
    """Speak, hear and translate what is not there yet, into the cache, for somebody who watches."""
    if "recordings" in inputs:
        made.translate(inputs, progress)


def _pairs(inputs: Mapping[str, str]) -> tuple[dict[str, list[Track]], dict[str, str], tuple[str, ...]]:
    if "recordings" not in inputs and (alone := next((name for name in _SETTINGS if name in inputs), None)):
        raise InputError(f"-i {alone}={inputs[alone]} goes with -i recordings=DIR")
    given: list[Given] = []
    heard: dict[str, str] = {}
    missing: dict[str, str] = {}
    if "recordings" in inputs:
        given, heard, missing = made.results(inputs)
    own = [name for name in inputs if name not in ("recordings", "training", *_SETTINGS)]
    for name in own:
        if Path(inputs[name]).is_file():
            heard |= transcripts_of(inputs[name])
        else:
            given += of_folder(inputs[name], "" if name.partition(" ")[0] == "run" else name)
    if not given:
        return {}, dict(INPUTS), ()
    trained = voices_in(Path(inputs["training"])) if "training" in inputs else None
    return tracks(given, heard, trained), missing, tuple(dict.fromkeys(each.result.signature for each in given))


def _beyond(own: Sequence[Track]) -> Iterator[Table]:
    """What the paper leaves out, of one language pair."""
    yield from losses.compared(own)
    yield from voices.by_voice(own)
    yield from voices.speakers(own)
    for track in own:
        if track.kind == CASCADE and (found := losses.causes(track)):
            yield found
    if found := losses.examples(own):
        yield found


STUDY = StudyPlan(
    TITLE, INPUTS, run, more="a run folder, by the name that the tables shall call it", prepare=prepare, again=("run",)
)
