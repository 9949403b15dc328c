"""The report: one self-contained page that shows what the numbers hide."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from epicene import run
from epicene.files import written
from epicene.languages.codes import right_to_left
from epicene.result import Result
from epicene.types import Verdict


def write_page(path: Path, results: Sequence[Result]) -> Path:
    """Write the page of one or more results."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(loader=PackageLoader("epicene.report"), autoescape=True, undefined=StrictUndefined)
    environment.filters["marked"] = marked
    citations = {run.open_set(result.set).citation for result in results if result.set != "custom"}
    page = environment.get_template("page.html").render(
        results=results, citations=sorted(filter(None, citations)), right_to_left=right_to_left
    )
    with written(path) as stream:
        stream.write(page)
    return path


def marked(verdict: Verdict) -> list[tuple[str, bool]]:
    """A translation cut into pieces, with whether each piece decided the verdict."""
    text, position, pieces = verdict.output.text, 0, []
    for evidence in verdict.evidence:
        pieces.append((text[position : evidence.start], False))
        pieces.append((text[evidence.start : evidence.end], True))
        position = evidence.end
    return [*pieces, (text[position:], False)]
