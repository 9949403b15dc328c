"""Pikuliak et al. 2024, "Women Are Beautiful, Men Are Leaders": masculine rates of four translators, by stereotype."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from epicene.archives import list_files
from epicene.errors import InputError, UnknownNameError
from epicene.flow.plan import open_task
from epicene.flow.score import score_outputs
from epicene.output.table import Cell, Table, make_columns
from epicene.result import Result
from epicene.sets import gest, load
from epicene.sets.gest import MEN, WOMEN
from epicene.studies import Study, StudyPlan
from epicene.types import Item, Measure, Output, Pair
from epicene_lab.tables import table

TITLE = "Pikuliak et al. 2024: which gender a speaker gets, by stereotype (GEST)"
_TRANSLATIONS = "translations"
INPUTS = {_TRANSLATIONS: "the folder data/translations of the authors' repository, or an archive that holds it"}
_CELLS = make_columns(
    system="system",
    target="to",
    stereotype="p_i",
    published=("published", 2),
    published_interval=("interval", 2),
    ours=("ours", 2),
    interval=("95 % interval", 2),
    n="n",
    within="within",
)
_RATES = make_columns(
    system="system",
    target="to",
    cells="cells within",
    published_f_m=("f_m", 1),
    f_m=("our f_m", 1),
    published_f_s=("f_s", 1),
    f_s=("our f_s", 1),
    n="read",
    undetected="undetected",
)
_NOTE = (
    "Published rates are over all sentences of version 1.0, ours over those that are on this machine; f_m and f_s are "
    "in per cent and points, the published ones computed from the published rates."
)
Place = tuple[str, str]  # system and target language


class Rate(NamedTuple):
    """A published masculine rate and its interval."""

    value: float
    low: float
    high: float


def run(inputs: Mapping[str, str]) -> Study:
    """Every published cell beside ours."""
    given = inputs.get(_TRANSLATIONS)
    scored = dict(_scored(Path(given))) if given else {}
    results: dict[Place, Result | None] = {**scored} if given else dict.fromkeys(_published())
    cells = [row for place, result in results.items() for row in _cells(place, result)]
    within = sum(row[-1] == "yes" for row in cells)
    counted = f"{within} of {len(cells)} published cells hold our rate within their interval."
    notes = (_NOTE, counted) if given else ()
    tables = (
        Table("How often a speaker becomes a man", _RATES, tuple(_rates(*each) for each in results.items()), notes),
        Table("The same by stereotype", _CELLS, tuple(cells)),
    )
    missing = {} if given else {_TRANSLATIONS: f"{INPUTS[_TRANSLATIONS]}: give -i {_TRANSLATIONS}=PATH"}
    return Study("gest", TITLE, tables, missing, tuple(result.signature for result in scored.values()))


def _published() -> dict[Place, dict[str, Rate]]:
    rates: dict[Place, dict[str, Rate]] = {}
    for row in table("gest", "published.tsv"):
        rate = Rate(*(float(row[name]) for name in ("male_rate", "low", "high")))
        rates.setdefault((row["system"], row["target"]), {})[row["stereotype"]] = rate
    return rates


def _scored(path: Path) -> Iterator[tuple[Place, Result]]:
    """Results of every published file, in the order of the published table; a language without a reader is left out."""
    sentences = _sentences()
    for (system, target), translated in _files(path):
        challenge = load("gest")
        items = [item for item in sentences if item.source in translated]
        pair = Pair("en", target)
        try:
            task = open_task(replace(challenge, items=lambda _, items=items: items), pair)  # type: ignore[misc]
        except UnknownNameError:
            continue
        outputs = [Output(item, system, target, translated[item.source]) for item in items]
        yield (system, target), score_outputs(task, outputs, system, anyway=True)


def _sentences() -> list[Item]:
    """The sentences of both versions that are on this machine, each once with each of its stereotypes."""
    items: dict[tuple[str, str], Item] = {}
    for version in reversed(gest.VERSIONS):
        if version in gest.list_versions():
            for item in load(f"gest:{version}").items(Pair("en", "ru")):
                place = item.source, item.labels["stereotype"]
                items.setdefault(place, replace(item, id=f"{version}/{item.id}"))
        if version == "1.0" and items:
            break  # the version that was translated, whole
    if not items:
        gest.sentences()  # says how to get them
    return list(items.values())


def _files(path: Path) -> Iterator[tuple[Place, dict[str, str]]]:
    texts: dict[Place, str] = {}
    for name, read in list_files(path):
        *_, system, target, file = ("", "", *PurePosixPath(name).parts)
        if file == "translations.csv" and (system, target) in _published():
            texts[system, target] = read().decode("utf-8-sig")
    if not texts:
        raise InputError(f"{path}: no SYSTEM/LANGUAGE/translations.csv of a published system; expected GEST's folder")
    for place in _published():
        if place in texts:
            yield place, gest.translations(texts[place], f"{path}: {'/'.join(place)}/translations.csv")


def _cells(place: Place, result: Result | None) -> Iterator[tuple[Cell, ...]]:
    for which, theirs in _published()[place].items():
        ours = next((measure for measure in _measures(result) if measure.name == f"p_{which}"), None)
        value = None if ours is None or ours.value is None else ours.value / 100
        ends = None if ours is None or ours.low is None or ours.high is None else (ours.low / 100, ours.high / 100)
        inside = value is not None and round(theirs.low, 2) <= round(value, 2) <= round(theirs.high, 2)
        row: tuple[Cell, ...] = (*place, f"p_{which}", theirs.value, (theirs.low, theirs.high), value, ends)
        yield (*row, ours.n if ours else None, ("yes" if inside else "no") if result else None)


def _measures(result: Result | None) -> tuple[Measure, ...]:
    return result.measures if result else ()


def _rates(place: Place, result: Result | None) -> tuple[Cell, ...]:
    rates = _published()[place]
    women, men = (100 * sum(rates[which].value for which in part) / len(part) for part in (WOMEN, MEN))
    within = sum(row[-1] == "yes" for row in _cells(place, result))
    ours = {measure.name: measure.value for measure in _measures(result) if measure.name in ("f_m", "f_s")}
    read = result.genders["feminine"] + result.genders["masculine"] if result else None
    published_rates = (women + men) / 2, men - women
    return (
        *place,
        f"{within}/{len(rates)}" if result else None,
        published_rates[0],
        ours.get("f_m"),
        published_rates[1],
        ours.get("f_s"),
        read,
        None if result is None or read is None else result.n - read,
    )


STUDY = StudyPlan(TITLE, INPUTS, run)
