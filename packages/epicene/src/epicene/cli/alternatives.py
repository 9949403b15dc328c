"""``epicene alternatives``: both genders where the source leaves it open."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from epicene.cli.options import Format, Langs, OutputFormat

if TYPE_CHECKING:
    from epicene.act.verbs import Alternatives

app = typer.Typer()


@app.command()
def alternatives(
    langs: Langs,
    set_name: Annotated[str | None, typer.Option("--set", "-t", metavar="SET", help="A challenge set.")] = None,
    text: Annotated[
        str | None, typer.Option("--input", "-i", metavar="TEXT", help="A file, one sentence a line.")
    ] = None,
    system: Annotated[
        str, typer.Option("--system", "-s", metavar="SYSTEM", help="bundled, ctranslate2: or huggingface:")
    ] = "bundled",
    number: Annotated[int, typer.Option("-n", metavar="N", min=2, help="Candidates of each sentence.")] = 12,
    sample: Annotated[
        int | None, typer.Option("--sample", metavar="N", min=1, help="So many sentences of the set, evenly.")
    ] = None,
    versions: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE.jsonl", help="Write the versions of every sentence.")
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Neither read nor keep translations.")] = False,
    output: OutputFormat = Format.TEXT,
) -> None:
    """Give a feminine and a masculine translation where the source leaves the gender open.

    The two differ in nothing but gender; a sentence for which no such two were found keeps its one translation.

    Example: epicene alternatives -i news.en -l en-es -o versions.jsonl

    Example: epicene alternatives -t gate -l en-es --sample 300
    """
    from epicene.act import verbs as acting
    from epicene.cli.progress import progress
    from epicene.cli.show import show_parts
    from epicene.errors import InputError
    from epicene.files import apart, read_lines
    from epicene.store.jsonl import write_jsonl

    if (set_name is None) == (text is None):
        raise InputError("alternatives needs either -t SET or -i TEXT")
    apart([versions], [text, (set_name or "").partition(":")[2]])
    asked = set_name if set_name is not None else list(read_lines(text or ""))
    with progress("translating") as bar:
        found = acting.alternatives(asked, langs, system, number, sample, cached=not no_cache, progress=bar)
    if versions is not None:
        write_jsonl(versions, (each.as_dict() for each in found.found))
    if output is not Format.TEXT:
        show_parts([_summary(found)], output.value, [found.as_dict()], [_row(each.as_dict()) for each in found.found])
        return
    if set_name is None and versions is None:
        typer.echo("\n\n".join(map(_version, found.found)))
    typer.echo(_summary(found), err=set_name is None and versions is None)


def _row(record: dict[str, Any]) -> dict[str, Any]:
    """A sentence with its versions, as CSV has it."""
    plain = {name: value for name, value in record.items() if name not in ("people", "scores", "differ")}
    return {**plain, "people": ", ".join(record["people"])}


def _version(each: object) -> str:
    from epicene.act.alternatives import Alternative

    assert isinstance(each, Alternative)  # noqa: S101 - of what the API gives
    if not each.both:
        return f"{each.first}\n  one version: {each.why}"
    return "\n".join(f"{gender:<9} {version.text}" for gender, version in each.versions.items())


def _summary(found: Alternatives) -> str:
    share = f"{100 * found.both / found.open:.1f} %" if found.open else "–"
    lines = [f"{found.set or 'text'} {found.langs} · {found.system}"]
    lines.append(f"both versions, in nothing but gender apart: {found.both:,} of {found.open:,} sentences ({share})")
    lines.append(", ".join(f"{count:,} {why}" for why, count in found.counts.items()))
    if found.judged:
        told = ", ".join(f"{count:,} {name}" for name, count in found.judged.items())
        lines.append(f"versions by the references that people wrote: {told}")
        apart = ", ".join(f"{count:,} {name}" for name, count in found.apart.items())
        lines.append(f"pairs of versions by what these keep and turn: {apart}")
    return "\n".join(lines)
