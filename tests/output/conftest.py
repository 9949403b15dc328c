"""Results whose pages are looked at, and the pages."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import epicene
from epicene.output.charts import vega
from epicene.output.page.page import write_page
from epicene.result import Result

# Sources, what they are about, and how one person translates them into Hebrew, Arabic and German.
SENTENCES = (
    ("The nurse came home.", "nurse", "feminine", "האחות הגיעה הביתה.", "وصلت الممرضة إلى المنزل.", "Die Krankenschwester kam nach Hause."),
    ("The doctor spoke with the patient.", "doctor", "feminine", "הרופא דיבר עם המטופלת.", "تحدث الطبيب مع المريضة.", "Der Arzt sprach mit der Patientin."),
    ("The teacher read a book.", "teacher", "masculine", "המורה קרא ספר.", "قرأ المعلم كتابا.", "Der Lehrer las ein Buch."),
    ("The engineer built a bridge.", "engineer", "feminine", "המהנדסת בנתה גשר.", "بنت المهندسة جسرا.", "Die Ingenieurin baute eine Brücke."),
    ("The secretary wrote a letter.", "secretary", "masculine", "המזכירה כתבה מכתב.", "كتبت السكرتيرة رسالة.", "Die Sekretärin schrieb einen Brief."),
)  # fmt: skip


@cache
def vega_lite() -> Any:
    """Checks specifications by the schema of Vega-Lite, which refuses names and values that it does not know."""
    from jsonschema import Draft7Validator

    altair = importlib.util.find_spec("altair")
    assert altair and altair.origin
    (schema,) = Path(altair.origin).parent.glob("vegalite/v6/schema/vega-lite-schema.json")
    return Draft7Validator(json.loads(schema.read_text(encoding="utf-8")))


@pytest.fixture(autouse=True)
def valid_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuses to draw what is not Vega-Lite."""
    render = vega.rendered

    def check_and_render(spec: vega.Spec) -> str:
        vega_lite().validate(json.loads(json.dumps(spec)))
        return render(spec)

    monkeypatch.setattr(vega, "rendered", check_and_render)


def table(path: Path, rows: list[tuple[str, ...]]) -> Path:
    """A set of one's own."""
    header = ("id", "source", "focus", "expected", "group", "occupation")
    path.write_text("\n".join("\t".join(row) for row in (header, *rows)) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def people(tmp_path_factory: pytest.TempPathFactory) -> list[Result]:
    """Results in Hebrew, Arabic and German."""
    rows = [
        (str(n), source, focus, expected, f"g{n % 2}", focus)
        for n, (source, focus, expected, *_) in enumerate(SENTENCES)
    ]
    own = f"custom:{table(tmp_path_factory.mktemp('set') / 'set.tsv', rows)}"
    languages = {"he": 3, "ar": 4, "de": 5}
    return [
        epicene.score(own, f"en-{code}", [sentence[place] for sentence in SENTENCES])
        for code, place in languages.items()
    ]


@pytest.fixture(scope="session")
def simplegen() -> list[Result]:
    """Two systems on SimpleGEN: one writes a man for everyone, one a woman in every third sentence."""
    men = ["Der Arzt ist da."] * 2664
    some = ["Die Ärztin ist da." if number % 3 == 0 else "Der Arzt ist da." for number in range(2664)]
    return [
        replace(epicene.score("simplegen", "en-de", lines, anyway=True), system=name)
        for name, lines in (("men", men), ("some", some))
    ]


@pytest.fixture(scope="session")
def report(people: list[Result], simplegen: list[Result], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of two sets, three languages and several systems."""
    command = ["epicene", "audit", "-t", "simplegen", "-l", "en-de"]
    return write_page(tmp_path_factory.mktemp("report") / "page.html", people + simplegen, [command])


@pytest.fixture(scope="session")
def small(people: list[Result], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page with all parts and few rows: three languages, and a second system for one of them."""
    again = replace(people[0], system="again")
    return write_page(tmp_path_factory.mktemp("small") / "page.html", [*people, again], [["epicene", "audit"]])


@pytest.fixture(scope="session")
def brief(simplegen: list[Result], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first screen of two systems."""
    return write_page(tmp_path_factory.mktemp("brief") / "page.html", simplegen, brief=True)
