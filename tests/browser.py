"""A real browser for tests: Chromium as the system has it, driven by Playwright, and axe-core for accessibility.

``visit`` opens a page and keeps what went wrong on it; ``axe`` names what axe-core finds. Where Chromium or axe-core is
missing, tests are skipped with the command that installs it, except in CI, where they fail.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_AXE = Path(__file__).parents[1] / ".tools/node_modules/axe-core/axe.min.js"
_RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


@dataclass
class Visit:
    """An open page, with its errors and the addresses that it asked for, its own first."""

    page: Page
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def went_well(self) -> None:
        """No error was written to the console or thrown, and nothing but the page itself was asked for."""
        assert self.errors == []
        assert len(self.requests) == 1, self.requests[1:]


Visiting = Callable[..., Visit]
Axe = Callable[..., list[str]]


def program() -> str | None:
    """The system's Chromium."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


def missing(what: str) -> NoReturn:
    """Skip a test for want of a program, or fail in CI, which has to have it."""
    reason = f"{what} is not installed; `make system` does it"
    pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The browser. One a module, since no other event loop can run in this thread while Playwright does."""
    path = program()
    if path is None:
        missing("Chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Browser) -> Iterator[Visiting]:
    """Opens a file or an address in a profile of its own; takes what a browser context takes, such as a viewport."""
    contexts: list[BrowserContext] = []

    def opened(where: Path | str, **options: Any) -> Visit:
        context = chromium.new_context(**options)
        contexts.append(context)
        found = Visit(context.new_page())
        found.page.on("console", lambda message: _heard(found, message))
        found.page.on("pageerror", lambda error: found.errors.append(str(error)))
        found.page.on("request", lambda request: found.requests.append(request.url))
        found.page.goto(where.resolve().as_uri() if isinstance(where, Path) else where)
        return found

    yield opened
    for context in contexts:
        context.close()


def _heard(visit: Visit, message: ConsoleMessage) -> None:
    if message.type in ("error", "warning"):
        visit.errors.append(message.text)


@pytest.fixture(scope="session")
def axe() -> Axe:
    """Names what axe-core holds against a page: the rule, and the places that break it; of all rules or of one."""
    if not _AXE.exists():
        missing("axe-core")
    script = _AXE.read_text(encoding="utf-8")

    def violations(page: Page, rule: str = "") -> list[str]:
        page.evaluate(script)
        found = page.evaluate("rules => axe.run({runOnly: rules})", [rule] if rule else list(_RULES))
        return [
            f"{each['id']}: {', '.join(str(node['target']) for node in each['nodes'])}" for each in found["violations"]
        ]

    return violations
