"""The licence that each distribution declares is that of what it ships, and the texts of all of them ship too."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

import epicene
from tests.browser import missing

ROOT = Path(__file__).parents[2]
PACKAGES = ROOT / "packages"
FREE = {"facts", "public domain"}


def licences(expression: str) -> set[str]:
    return set(expression.split(" AND "))


@pytest.mark.parametrize("name", ["epicene", "epicene-lab", "epicene-models"])
def test_a_distribution_declares_the_licences_of_its_files_and_ships_their_texts(name: str) -> None:
    root = PACKAGES / name
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    texts = {file.name for pattern in project["license-files"] for file in root.glob(pattern)}
    entries = [tomllib.loads(path.read_text(encoding="utf-8")) for path in root.rglob("PROVENANCE.toml")]
    used = {licence for file in entries for entry in file.values() for licence in licences(entry["licence"])} - FREE
    used.add("Apache-2.0")  # every distribution holds code
    assert used == licences(project["license"])
    assert {f"{licence}.txt" for licence in used} == texts - {"NOTICE"}


def entries() -> Iterator[tuple[Path, str]]:
    """Every file or folder that a PROVENANCE.toml names, from the root of the repository, and its licence there."""
    for table in PACKAGES.rglob("PROVENANCE.toml"):
        for name, entry in tomllib.loads(table.read_text(encoding="utf-8")).items():
            yield (table.parent / name).relative_to(ROOT), entry["licence"]


def test_reuse_toml_gives_each_table_the_licence_of_its_provenance() -> None:
    annotations = tomllib.loads((ROOT / "REUSE.toml").read_text(encoding="utf-8"))["annotations"]
    licence_of = {}
    for annotation in annotations:
        for pattern in [annotation["path"]] if isinstance(annotation["path"], str) else annotation["path"]:
            matching = re.compile(re.escape(pattern).replace(r"\*\*", ".*").replace(r"\*", "[^/]*"))
            for path, _ in entries():
                if matching.fullmatch(f"{path}/" if (ROOT / path).is_dir() else str(path)):
                    licence_of[path] = annotation["SPDX-License-Identifier"]
    assert licence_of == {path: "Apache-2.0" if licence in FREE else licence for path, licence in entries()}


def test_reuse_finds_a_licence_for_every_file() -> None:
    if importlib.util.find_spec("reuse") is None:
        missing("reuse (group dev)")
    done = subprocess.run([sys.executable, "-m", "reuse", "lint", "--quiet"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_readme_cites_what_citation_cff_does() -> None:
    """Converters of CITATION.cff give the entry no key of its own, so the README has one."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    (entry,) = re.findall(
        r"```bibtex\n@software\{(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL
    )
    fields = dict(re.findall(r"(\w+) = \{+([^}]*)\}+", entry))
    assert entry.startswith("epicene,") and citation["version"] == fields["version"] == epicene.__version__
    assert (fields["title"], fields["url"]) == (citation["title"], citation["repository-code"])
    assert [fields["author"]] == [author["name"] for author in citation["authors"]]
