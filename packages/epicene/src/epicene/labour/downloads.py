"""Tables as Eurostat and ILOSTAT let them be downloaded: one figure a line, for each sex, occupation, country, year.

Eurostat (SDMX-CSV: lfsa_egai2d, lfsa_egais, lfsa_egan2 …) has the columns isco08 or nace_r2, sex, geo, TIME_PERIOD and
OBS_VALUE; ILOSTAT (EMP_TEMP_SEX_OCU_NB, EMP_TEMP_SEX_OC2_NB …) has classif1, sex, ref_area, time and obs_value. Where
a column has several values, the name of the reference must choose one: ``lfsa_egai2d.csv?geo=HU&TIME_PERIOD=2019``.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from epicene.errors import InputError
from epicene.labour import codes
from epicene.labour.cells import Cells
from epicene.labour.reference import Reference, Row

# What the column of each source holds; ILOSTAT has codes, labels or both.
_CODES = {"isco08": "isco08", "nace_r2": "nace", "classif1": "isco08", "classif1.label": "isco08"}
_SEXES = {
    **dict.fromkeys(("M", "SEX_M", "Male", "Males", "Sex: Male"), "men"),
    **dict.fromkeys(("F", "SEX_F", "Female", "Females", "Sex: Female"), "women"),
}
_LABEL = re.compile(r".*\(ISCO-08[^)]*\):\s*(\d{1,2})\b.*")  # Occupation (ISCO-08): 2. Professionals
_VALUES = ("OBS_VALUE", "obs_value")
_THOUSAND = 1000  # both count in thousands
# Columns that say nothing of what a line is about.
_BESIDE = frozenset(["DATAFLOW", "STRUCTURE", "STRUCTURE_ID", "LAST UPDATE", "OBS_FLAG", "CONF_STATUS", "obs_status"])


@dataclass(frozen=True, slots=True)
class Download:
    """A file that has the columns of a download."""

    path: Path
    code: str
    sex: str
    value: str

    @classmethod
    def of(cls, path: Path) -> Download | None:
        """The download in a file; None where it is no download."""
        header = next(Cells(path).rows(), [])
        code = next((column for column in _CODES if column in header), None)
        value = next((column for column in _VALUES if column in header), None)
        sex = next((column for column in ("sex", "sex.label") if column in header), None)
        return cls(path, code, sex, value) if code and value and sex else None

    def read(self, chosen: dict[str, str]) -> Reference:
        """The reference of the lines that are chosen; refused where they are of several countries, years or ages."""
        cells = Cells(self.path)
        rows = cells.rows()
        header = next(rows)
        about = [each for each in header if each not in (self.code, self.sex, self.value, *_BESIDE)]
        labelled = self.code.endswith(".label")
        about = [each for each in about if not each.startswith("note_") and (labelled or not each.endswith(".label"))]
        if unknown := [name for name in chosen if name not in about]:
            raise InputError(f"{self.path}: no column {', '.join(unknown)} to choose from; it has: {', '.join(about)}")
        key = _CODES[self.code]
        seen: dict[str, dict[str, None]] = {name: {} for name in about}
        heads: dict[str, dict[str, float | None]] = {}
        left: dict[str, None] = {}
        for each in rows:
            row = cells.named(each, header)
            if any(row[name] != value for name, value in chosen.items()):
                continue
            if (sex := _SEXES.get(row[self.sex])) is None:
                continue
            code = _LABEL.sub(r"\1", row[self.code]) if labelled else row[self.code]
            if codes.resolved(key, code) is None:
                left[code] = None
                continue
            for name in about:
                seen[name][row[name]] = None
            found = heads.setdefault(code, {})
            if sex in found and not self._several(seen):
                cells.refuse(self.value, f"a second figure for {sex} in {code}", "expected one each")
            found[sex] = cells.number(row, self.value) if row[self.value] not in ("", ":") else None
        if several := self._several(seen):
            name, values = several
            shown = ", ".join(values[:5]) + (", …" if len(values) > 5 else "")
            raise InputError(
                f"{self.path}: column {name} has {len(values)} values ({shown}); choose one: "
                f"{self.path.name}?{name}={values[-1]}"
            )
        found_rows = tuple(_row(key, code, each) for code, each in heads.items())
        if not any(row.men is not None for row in found_rows):
            asked = "&".join(f"{name}={value}" for name, value in chosen.items())
            raise InputError(
                f"{self.path}: no figure for men and women{f' with {asked}' if asked else ''}; expected lines with sex "
                "M and F, SEX_M and SEX_F or Male and Female, and codes such as OC22, OCU_ISCO08_2 or OC2_ISCO08_22"
            )
        name = "-".join([self.path.stem, *chosen.values()])
        digest = hashlib.sha256(self.path.read_bytes() + repr(sorted(chosen.items())).encode()).hexdigest()[:8]
        notes = ["no sampling error is given: the shares count as exact"]
        if left:
            notes.insert(0, f"lines that are no occupation: {', '.join(left)}")
        return Reference(name, f"{name}@{digest}", key, found_rows, sized=True, notes=tuple(notes))

    @staticmethod
    def _several(seen: dict[str, dict[str, None]]) -> tuple[str, list[str]] | None:
        return next(((name, list(values)) for name, values in seen.items() if len(values) > 1), None)


def _row(key: str, code: str, heads: dict[str, float | None]) -> Row:
    """Men and women of a code; none where one of them is missing."""
    covered, level = codes.resolved(key, code) or ((), 0)
    men, women = (heads.get(sex) for sex in ("men", "women"))
    if men is None or women is None:
        return Row(code, covered, None, None, 0.0, level)
    return Row(code, covered, _THOUSAND * men, _THOUSAND * women, 0.0, level)
