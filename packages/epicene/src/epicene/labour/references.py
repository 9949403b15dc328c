"""References by name: shipped tables, the user's CSV files, and tables as offices let them be downloaded."""

from __future__ import annotations

from importlib.resources import as_file
from pathlib import Path

from epicene.errors import InputError, UnknownNameError
from epicene.labour.downloads import Download
from epicene.labour.reader import Reader
from epicene.labour.reference import Reference
from epicene.spec import parse
from epicene.tables import resource

SHIPPED = ("us-acs-2011", "us-acs-2018", "us-bls-2020", "fi-2009", "fi-lfs-2013")
US = SHIPPED[:3]  # those by SOC code


def open_reference(spec: str) -> Reference:
    """The shipped reference of a name, or the one in a CSV file; ``FILE.csv?geo=HU`` chooses from a download."""
    if spec in SHIPPED:
        with as_file(resource("labour/tables", f"{spec}.csv")) as path:
            return Reader(path, spec).read()
    place = Path(spec)
    if place.is_file():
        return _of_file(place, {})
    head, mark, _ = spec.partition("?")
    if mark and Path(head).is_file():
        return _of_file(Path(head), parse(f"reference{spec[len(head) :]}", what="reference")[2].given)
    hint = "Or a CSV file: docs/occupations.md describes its columns."
    raise UnknownNameError("reference", spec, SHIPPED, hint)


def _of_file(path: Path, chosen: dict[str, str]) -> Reference:
    download = Download.of(path)
    if download:
        return download.read(chosen)
    if chosen:
        raise InputError(f"{path}: {next(iter(chosen))}=… chooses from a download of Eurostat or ILOSTAT; this is none")
    return Reader(path, path.stem).read()
