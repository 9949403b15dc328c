"""The documentation builds as a site without a warning, and the site needs nothing from elsewhere."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer

import epicene
from epicene.cli.app import app
from tests.browser import missing

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site; a link that leads nowhere is an error."""
    if importlib.util.find_spec("mkdocs") is None:
        missing("MkDocs (extra docs)")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


def test_every_page_is_built_and_in_the_menu(site: Path) -> None:
    menu = (site / "index.html").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert (site / f"{page.stem}.html").exists()
        assert f'href="{page.stem}.html"' in menu, page.name


def test_every_command_is_in_the_reference(site: Path) -> None:
    page = (site / "commands.html").read_text(encoding="utf-8")
    group = typer.main.get_command(app)
    context = group.make_context("epicene", [], resilient_parsing=True)
    names = group.list_commands(context)
    assert {"audit", "report", "review", "score"} <= set(names)
    for name in names:
        assert re.search(rf'<h2 id="epicene-{name}[a-z-]*">', page), name
    assert "--history" in page


def test_the_whole_record_is_in_its_page(site: Path) -> None:
    page = (site / "record.html").read_text(encoding="utf-8")
    assert "winomt-2019" in page and page.count("<table>") > 10


def test_the_samples_are_on_the_site_and_share_no_folder(site: Path) -> None:
    linked = re.findall(r'href="(samples/[a-z]+\.html)"', (site / "report.html").read_text(encoding="utf-8"))
    assert {"samples/one.html", "samples/many.html", "samples/speech.html", "samples/occupations.html"} == set(linked)
    for name in linked:
        page = (site / name).read_text(encoding="utf-8")
        assert "epicene report" in page
        assert not re.search(r"[\s\"'](?:/home|/tmp|/work|/root)/", page), name


def test_the_site_asks_nobody_for_anything(site: Path) -> None:
    for page in site.glob("*.html"):
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r'<(?:script|img|iframe)[^>]+src="(https?:)?//', text)
        loaded += re.findall(r'<link[^>]+rel="(?:stylesheet|preconnect|icon)"[^>]+href="https?://', text)
        assert loaded == [], page.name


def test_the_whole_public_surface_is_documented(site: Path) -> None:
    page = (site / "api.html").read_text(encoding="utf-8")
    for name in epicene.__all__:
        if name != "__version__":
            home = getattr(epicene, name).__module__
            assert f'id="{home}.{name}"' in page, name
