"""The command reference and the record, made by the program itself as the site is built: a hook of MkDocs."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

COMMANDS, RECORD = "<!-- the commands stand here -->", "<!-- the record stands here -->"
RESULTS = "<!-- the results stand here -->"
COLOURS = (
    "--ink: var(--md-default-fg-color); --muted: var(--md-default-fg-color--light); "
    "--line: var(--md-default-fg-color--lightest)"
)


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Put the commands and the record into their pages."""
    if page.file.src_path == "commands.md":
        return markdown.replace(COMMANDS, "\n".join(lines()))
    if page.file.src_path == "record.md":
        return markdown.replace(RESULTS, "\n".join(results())).replace(RECORD, record())
    return markdown


def results() -> Iterator[str]:
    """The record's chart, then what each of its sources comes to: all from its numbers."""
    from epicene.compare.headline import headline
    from epicene.record import build, page, tables

    parts = build.shipped()
    if figure := page.chart(parts):
        yield f"**{figure.title}.** {figure.caption}\n"
        yield f'<div style="{COLOURS}">{figure.drawing}</div>\n'.replace("\n\n", "\n")
    for part in parts:
        if tables.is_contested(part):
            yield f"### {part.source.title}\n"
            yield "\n\n".join(headline(matrix) for matrix in part.matrices.values()) + "\n"


def record() -> str:
    """What ``epicene record --all -f markdown`` prints, its headings one deeper."""
    command = [sys.executable, "-m", "epicene", "-q", "record", "--all", "-f", "markdown"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8")
    return re.sub(r"^(?=#+ )", "#", done.stdout, flags=re.MULTILINE)


def lines() -> Iterator[str]:
    """Every command with its usage, what it does, its example, arguments and options."""
    import typer

    from epicene.cli.app import app

    yield from _command(typer.main.get_command(app), "epicene", None)


def _command(command: Any, name: str, parent: Any) -> Iterator[str]:
    context = command.make_context(name, [], resilient_parsing=True, parent=parent)
    context.info_name = name
    if hasattr(command, "list_commands"):
        for each in sorted(command.list_commands(context)):
            found = command.get_command(context, each)
            if not found.hidden:
                yield from _command(found, f"{name} {each}", None)
        return
    usage = " ".join(part for part in command.collect_usage_pieces(context))
    yield f"## {name}\n"
    yield f"```text\n{name} {usage}\n```\n"
    for part in re.split(r"\n\s*\n", (command.help or "").strip()):
        text = " ".join(part.split())
        head, colon, example = text.partition("Example: ")
        yield f"{head}\n\n```sh\n{example}\n```\n" if colon and not head.strip() else f"{_plain(text)}\n"
    rows = [row for each in command.params if not getattr(each, "hidden", False) and (row := _row(each, context))]
    if rows:
        yield "| | |\n|---|---|"
        yield from (f"| {what} | {_plain(said)} |" for what, said in rows)
        yield ""


def _row(each: Any, context: Any) -> tuple[str, str] | None:
    """How a parameter is written, and what its help says."""
    found = each.get_help_record(context)
    if found is None or each.name == "help":
        return None
    what, said = found
    return f"`{what.replace('|', '/')}`", said


def _plain(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ").replace("*", "\\*")
