"""Builds the sample reports of the documentation: ``python -m benchmarks.gallery docs/samples``.

One system: SimpleGEN by the bundled translator. Many systems: 17 speech systems of 2025 (Hearing to Translate, Apache
2.0) on WinoMT (MIT), a sample of its sentences. Speech: a few sentences of WinoMT spoken by two voices of flite, by the
direct system that ships, and heard by PocketSphinx and translated by the bundled one. Occupations: Hungarian sentences
and a made-up translator, which writes "she" for jobs that care, teach or tidy, and "he" for all others.
"""

from __future__ import annotations

import os
import re
import sys
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from epicene import api, published
from epicene.files import unpack
from epicene.flow import plan
from epicene.output.page.page import write_page
from epicene.result import Result
from epicene.speech import synthesis, voices

SAMPLE, SPOKEN, LANGUAGES, VOICES = 160, 14, ("de", "es"), ("slt", "rms")
_SHE = re.compile(r"nurse|teach|secretar|clean|midwi|librar|hairdress|care|social work|cashier", re.IGNORECASE)


def one(folder: Path) -> list[Result]:  # noqa: ARG001
    """One system, one language."""
    return list(api.audit(["simplegen"], ["en-es"], ["bundled"], sample=2 * SAMPLE).results)


def many(folder: Path) -> list[Result]:
    """Seventeen systems, two languages."""
    with tarfile.open(Path(os.environ["EPICENE_TEST_DATA"]) / "hearing2translate.tar.gz") as archive:
        unpack(archive, Path(folder))
    found = []
    for language in LANGUAGES:
        for path in sorted(folder.glob(f"*/en-{language}.txt")):
            if not path.parent.name.endswith("_asr"):
                run = api.audit(["winomt"], [f"en-{language}"], [f"file:{path}"], sample=SAMPLE, anyway=True)
                found.append(replace(run.results[0], system=path.parent.name))
    return found


def speech(folder: Path) -> list[Result]:
    """A cascade, with recordings to listen to."""
    challenge = plan.open_set("winomt")
    items = list(challenge.items(plan.open_pair("en-es", challenge)))
    drawn = items[:: len(items) // SPOKEN][:SPOKEN]
    synthesis.synthesise([(item.id, item.source) for item in drawn], [voices.load(name) for name in VOICES], folder)
    run = api.audit([f"winost:{folder}"], ["en-es"], ["direct:bundled", "cascade:pocketsphinx+bundled"], anyway=True)
    return list(run.results)


def occupations(folder: Path) -> list[Result]:  # noqa: ARG001
    """The study of occupations, by a translator that is made up."""
    challenge = plan.open_set("occupations")
    items = challenge.items(plan.open_pair("hu-en", challenge))
    jobs = [item.labels["english"].lower() for item in items]
    lines = [f"{'She' if _SHE.search(job) else 'He'} is a {job}." for job in jobs]
    found = api.score("occupations", "hu-en", lines, references=["us-acs-2018"], anyway=True)
    return [replace(found, system="made-up")]


SAMPLES: dict[str, Callable[[Path], list[Result]]] = {
    "one": one,
    "many": many,
    "speech": speech,
    "occupations": occupations,
}


def main() -> None:
    """Write the sample reports, or those that are named, into a folder."""
    published.add("winomt", Path(os.environ["EPICENE_TEST_DATA"]) / "winomt")
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[2:] or SAMPLES:
        with tempfile.TemporaryDirectory() as place:
            path = write_page(target / f"{name}.html", SAMPLES[name](Path(place)))
        print(f"{path}: {path.stat().st_size / 1e6:.2f} MB", flush=True)


if __name__ == "__main__":
    main()
