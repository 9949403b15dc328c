"""Items, outputs and verdicts as JSON: one codec for run folders, verdict files and shards.

A line holds all that the record does, and leaves out what is empty. Lines of format 1 call the person "focus" and know
no others, context or references.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from epicene.types import (
    Accepted,
    Cause,
    Evidence,
    Gender,
    Heard,
    Hearing,
    Item,
    Kind,
    Origin,
    Output,
    Person,
    Verdict,
)

Record = dict[str, Any]
_PERSON = {"text": str, "start": int, "concept": str, "plural": bool, "kind?": str}
_EVIDENCE = [[(str, int)]]
OUTPUT = {
    "id": str,
    "system": str,
    "target": str,
    "source": str,
    "output": str,
    "expected": (str, None),
    "labels": {"*": str},
    "person?": _PERSON,
    "focus?": _PERSON,
    "others?": [_PERSON],
    "context?": [str],
    "references?": [[(str, None)]],
    "variant?": (str, None),
    "audio?": (str, None),
    "transcript?": str,
    "reference?": str,
}
VERDICT = {
    **OUTPUT,
    "set": str,
    "langs": str,
    "gender": str,
    "method": str,
    "evidence": _EVIDENCE,
    "against?": _EVIDENCE,
    "confidence?": (int, float),
    "cause?": {"origin": str, "cue": str, "written": str},
}


def output_record(output: Output) -> Record:
    """An output and the item that it answers."""
    item = output.item
    return {
        "id": item.id,
        "system": output.system,
        "target": output.target,
        "source": item.source,
        "output": output.text,
        **(output.heard._asdict() if output.heard else {}),
        "expected": item.expected and item.expected.value,
        "person": _person_record(item.person),
        "labels": dict(item.labels),
        **_filled(
            others=[_person_record(other) for other in item.others],
            context=list(item.context),
            references=[[each.text, each.gender] for each in item.references],
            variant=item.variant,
            line=item.line,
            audio=item.audio and str(item.audio.absolute()),
            refused=output.refused,
        ),
    }


def output_of(record: Mapping[str, Any]) -> Output:
    """The output of a record."""
    audio = record.get("audio")
    item = Item(
        id=record["id"],
        source=record["source"],
        person=_person(record["person"] if "person" in record else record["focus"]),
        expected=_gender(record["expected"]),
        labels=record["labels"],
        audio=Path(audio) if audio else None,
        variant=record.get("variant"),
        others=tuple(map(_person, record.get("others", ()))),
        context=tuple(record.get("context", ())),
        line=record.get("line"),
        references=tuple(Accepted(text, _gender(gender)) for text, gender in record.get("references", ())),
    )
    heard = Heard(record["transcript"], record["reference"]) if "transcript" in record else None
    return Output(item, record["system"], record["target"], record["output"], heard, record.get("refused", ""))


def verdict_record(verdict: Verdict) -> Record:
    """A verdict, with the output that it is about."""
    return {**output_record(verdict.output), **finding_record(verdict)}


def verdict_of(record: Mapping[str, Any]) -> Verdict:
    """The verdict of a record."""
    return found(output_of(record), record)


def finding_record(verdict: Verdict) -> Record:
    """What was read, without the output."""
    cause = verdict.cause
    return {
        "gender": verdict.gender.value,
        "step": verdict.step,
        "method": verdict.step,  # as it was called until 0.2
        "evidence": [list(each) for each in verdict.evidence],
        **_filled(
            against=[list(each) for each in verdict.against],
            confidence=verdict.confidence if verdict.confidence != 1 else None,
            cause=cause and {"origin": cause.origin.value, "cue": cause.cue.value, "written": cause.written.value},
        ),
    }


def found(output: Output, record: Mapping[str, Any]) -> Verdict:
    """The verdict on an output that a record of what was read tells."""
    cause = record.get("cause")
    return Verdict(
        output,
        Gender(record["gender"]),
        record.get("step") or record["method"],
        tuple(Evidence(*each) for each in record["evidence"]),
        cause and Cause(Origin(cause["origin"]), Hearing(cause["cue"]), Gender(cause["written"])),
        record.get("confidence", 1.0),
        tuple(Evidence(*each) for each in record.get("against", ())),
    )


def _person_record(person: Person) -> Record:
    kind = {"kind": person.kind.value} if person.kind is not Kind.NOUN else {}
    return {"text": person.text, "start": person.start, "concept": person.concept, "plural": person.plural, **kind}


def _person(record: Mapping[str, Any]) -> Person:
    kind = Kind(record.get("kind", Kind.NOUN))
    return Person(record["text"], record["start"], record["concept"], record["plural"], kind)


def _gender(value: str | None) -> Gender | None:
    return Gender(value) if value else None


def _filled(**values: Any) -> Record:
    return {name: value for name, value in values.items() if value not in (None, [], "")}
