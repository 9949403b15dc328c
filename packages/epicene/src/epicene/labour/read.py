"""References by name: shipped tables, the user's CSV files, and tables as offices let them be downloaded.

A CSV file is read whole or refused with file, line and column. Eurostat's downloads (SDMX-CSV: lfsa_egai2d, lfsa_egais,
lfsa_egan2 …) have the columns isco08 or nace_r2, sex, geo, TIME_PERIOD and OBS_VALUE; ILOSTAT's (EMP_TEMP_SEX_OCU_NB,
EMP_TEMP_SEX_OC2_NB …) have classif1, sex, ref_area, time and obs_value. Where a column has several values, the name of
the reference must choose one: ``lfsa_egai2d.csv?geo=HU&TIME_PERIOD=2019``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from epicene.errors import InputError, UnknownNameError
from epicene.files import checksum
from epicene.labour import codes
from epicene.labour.figures import Cells, Figures
from epicene.labour.reference import KEYS, Reference, Row
from epicene.labour.survey import PERSON, Answers
from epicene.registry import parse_spec
from epicene.tables import resource, source_of

SHIPPED = ("us-acs-2011", "us-acs-2018", "us-bls-2020", "fi-2009", "fi-lfs-2013")
US = SHIPPED[:3]  # those by SOC code
_NAMES = ("title", "name")  # columns that say what a row is called
# What the column of each source holds; ILOSTAT has codes, labels or both.
_CODES = {"isco08": "isco08", "nace_r2": "nace", "classif1": "isco08", "classif1.label": "isco08"}
_SEXES = {
    **dict.fromkeys(("M", "SEX_M", "Male", "Males", "Sex: Male"), "men"),
    **dict.fromkeys(("F", "SEX_F", "Female", "Females", "Sex: Female"), "women"),
}
_LABEL = re.compile(r".*\(ISCO-08[^)]*\):\s*(\d{1,2})\b.*")  # Occupation (ISCO-08): 2. Professionals
_SEX, _VALUES = ("sex", "sex.label"), ("OBS_VALUE", "obs_value")
_EXACT = "no sampling error is given: the shares count as exact"
_THOUSAND = 1000  # both count in thousands
# Columns that say nothing of what a line is about.
_BESIDE = frozenset(["DATAFLOW", "STRUCTURE", "STRUCTURE_ID", "LAST UPDATE", "OBS_FLAG", "CONF_STATUS", "obs_status"])


def open_reference(spec: str) -> Reference:
    """The shipped reference of a name, or the one in a CSV file; ``FILE.csv?geo=HU`` chooses from a download."""
    if spec in SHIPPED:
        table = f"labour/tables/{spec}.csv"
        return replace(read_table(resource(table), spec), source=source_of(table))
    place = Path(spec)
    if place.is_file():
        return _of_file(place, {})
    head, mark, _ = spec.partition("?")
    if mark and Path(head).is_file():
        return _of_file(Path(head), parse_spec(f"reference{spec[len(head) :]}", what="reference")[2].values)
    hint = "Or a CSV file: docs/occupations.md describes its columns."
    raise UnknownNameError("reference", spec, SHIPPED, hint)


def _of_file(path: Path, chosen: dict[str, str]) -> Reference:
    header = next(Cells(path).rows(), [])
    code, sex, value = (next((name for name in names if name in header), "") for names in (_CODES, _SEX, _VALUES))
    if code and sex and value:
        return _read_download(path, (code, sex, value), chosen)
    if chosen:
        raise InputError(f"{path}: {next(iter(chosen))}=… chooses from a download of Eurostat or ILOSTAT; this is none")
    return read_table(path, path.stem)


def read_table(path: Path, name: str) -> Reference:
    """The reference in a file with a row an occupation or category, or a line an answer; or a refusal."""
    cells = Cells(path)
    rows = cells.rows()
    header = next(rows, [])
    key = _find_key(header, path)
    figures = (Answers if PERSON in header else Figures).of(header, path)
    titles = [column for column in _NAMES if column in header]
    categories: list[Row] = []
    lines: dict[str, int] = {}  # where each code stands
    places: dict[tuple[str, ...], int] = {}
    for values in rows:
        row = cells.named(values, header)
        named = (row[key].lower(),) if key == "occupation" else tuple(row[key].split())
        if not named or not named[0]:
            cells.refuse(key, "is empty", f"expected the {KEYS[key]}")
        if not figures.repeats and (twice := next((code for code in named if code in lines), None)):
            cells.refuse(key, f"{twice!r} is already in line {lines[twice]}", "expected each once")
        figures.add(cells, row, places.setdefault(named, len(categories)))
        if len(places) > len(categories):
            title = next((row[column] for column in titles if row[column]), " ".join(named))
            categories.append(_cover(cells, key, named, title))
            lines |= dict.fromkeys(named, cells.line)
    if not categories:
        raise InputError(f"{path}: no rows; expected a header and one row an occupation or category")
    if lost := codes.shortened(key, list(lines)):
        cells.line = lines[lost]
        cells.refuse(key, f"{lost!r} is one digit shorter than the others", f"write 0{lost}, as text")
    measured = figures.finish(cells)
    categories = [
        replace(category, men=value.men, women=value.women, error=value.error)
        for category, value in zip(categories, measured.values, strict=True)
    ]
    used = {key, *figures.columns, *figures.beside, *_NAMES}
    ignored = [column for column in header if column and column not in used]
    notes = [measured.note] if measured.note else []
    notes += [f"columns that are not read: {', '.join(ignored)}"] if ignored else []
    notes += [] if any(category.error for category in categories) else [_EXACT]
    return Reference(
        name,
        f"{name}@{checksum(path)}",
        key,
        tuple(categories),
        measured.sized,
        tuple(notes),
        opinion=measured.opinion,
        people=measured.people,
    )


def _find_key(header: Sequence[str], path: Path) -> str:
    """Which column says what a row is about."""
    if twice := [column for column in header if column and header.count(column) > 1]:
        raise InputError(f"{path}:1: column {twice[0]} appears twice")
    keys = [column for column in KEYS if column in header]
    if len(keys) != 1:
        raise InputError(
            f"{path}:1: {'columns ' + ', '.join(keys) if keys else 'no column'} to look rows up by; "
            f"expected one of {', '.join(KEYS)}, got {', '.join(header)}"
        )
    return keys[0]


def _cover(cells: Cells, key: str, named: Sequence[str], title: str) -> Row:
    """A row without figures, with the finest codes that it covers; unknown ones are refused."""
    covered: dict[str, None] = {}
    levels = []
    for code in named:
        finest = codes.resolved(key, code)
        if finest is None:
            cells.refuse(key, f"{code!r} is no {KEYS[key]}", codes.EXPECTED[key])
        covered |= dict.fromkeys(finest.covered)
        levels.append(finest.level)
    return Row(title, tuple(covered), None, None, level=min(levels))


def _read_download(path: Path, columns: tuple[str, str, str], chosen: dict[str, str]) -> Reference:
    """The reference of the lines that are chosen; refused where they are of several countries, years or ages."""
    code_column, sex_column, value_column = columns
    cells = Cells(path)
    rows = cells.rows()
    header = next(rows)
    is_labelled = code_column.endswith(".label")
    about = [
        column
        for column in header
        if column not in (*columns, *_BESIDE)
        and not column.startswith("note_")
        and (is_labelled or not column.endswith(".label"))
    ]
    if unknown := [name for name in chosen if name not in about]:
        raise InputError(f"{path}: no column {', '.join(unknown)} to choose from; it has: {', '.join(about)}")
    key = _CODES[code_column]
    left_out: dict[str, None] = {}
    lines: list[tuple[int, str, str, dict[str, str]]] = []
    for values in rows:
        row = cells.named(values, header)
        sex = _SEXES.get(row[sex_column])
        if sex is None or any(row[name] != value for name, value in chosen.items()):
            continue
        code = _LABEL.sub(r"\1", row[code_column]) if is_labelled else row[code_column]
        if codes.resolved(key, code) is None:
            left_out[code] = None
        else:
            lines.append((cells.line, code, sex, row))
    for name in about:
        if len(several := list(dict.fromkeys(row[name] for *_, row in lines))) > 1:
            shown = ", ".join(several[:5]) + (", …" if len(several) > 5 else "")
            raise InputError(
                f"{path}: column {name} has {len(several)} values ({shown}); choose one: "
                f"{path.name}?{name}={several[-1]}"
            )
    heads: dict[str, dict[str, float | None]] = {}
    for line, code, sex, row in lines:
        cells.line = line
        if sex in heads.setdefault(code, {}):
            cells.refuse(value_column, f"a second figure for {sex} in {code}", "expected one each")
        heads[code][sex] = cells.number(row, value_column) if row[value_column] not in ("", ":") else None
    categories = tuple(_row(key, code, by_sex) for code, by_sex in heads.items())
    if not any(category.men is not None for category in categories):
        asked = "&".join(f"{name}={value}" for name, value in chosen.items())
        raise InputError(
            f"{path}: no figure for men and women{f' with {asked}' if asked else ''}; expected lines with sex "
            "M and F, SEX_M and SEX_F or Male and Female, and codes such as OC22, OCU_ISCO08_2 or OC2_ISCO08_22"
        )
    name = "-".join([path.stem, *chosen.values()])
    digest = checksum(path, repr(sorted(chosen.items())))
    notes = [*([f"lines that are no occupation: {', '.join(left_out)}"] if left_out else []), _EXACT]
    return Reference(name, f"{name}@{digest}", key, categories, sized=True, notes=tuple(notes))


def _row(key: str, code: str, heads: dict[str, float | None]) -> Row:
    """Men and women of a code; none where one of them is missing."""
    covered, level = codes.resolved(key, code) or ((), 0)
    men, women = (heads.get(sex) for sex in ("men", "women"))
    row = Row(code, covered, None, None, level=level)
    return row if men is None or women is None else replace(row, men=_THOUSAND * men, women=_THOUSAND * women)
