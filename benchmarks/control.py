"""Who obeys: ``bundled``, OpenAI-style servers that take instructions in three ways, and a model that knows tags.

``python -m benchmarks.control [en-es …] [--tagged DIR] [--instructed DIR] [--prefix '<2{target}>']``; DIR is a folder
of CTranslate2, trained on ``epicene lab pairs tagged`` or ``instructed``; the prefix is what tells it the language.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks._chat_server import Chat, Prose, Rules, serving
from epicene.act.control import ways
from epicene.act.verbs import Control, control
from epicene.output.terminal.tables import p_value

LANGS = ("en-es", "en-de")
PROMPTS = ("context", "prompt-plain", "prompt-strict", "prompt-new", "glossary")


def show(found: Control, name: str) -> None:
    """A line for each way, and one for each two ways that differ."""
    for langs in dict.fromkeys(each.langs for each in found.told):
        print(f"{name} {langs}, n = {found.told[0]['obeyed'].n}")
        for each in found.told:
            if each.langs == langs:
                cells = []
                for kind in ("obeyed", "ignored", "spilled"):
                    rate = each[kind]
                    low, high = (f"{end:z.1f}" if end is not None else "–" for end in (rate.low, rate.high))
                    value = "–" if rate.value is None else f"{rate.value:.1f}"
                    cells.append(f"{kind} {value} [{low}, {high}]")
                by = "women {:.1f}, men {:.1f}".format(*(each["obeyed", g].value for g in ("feminine", "masculine")))
                unread = each["obeyed"].unread
                print(
                    f"  {each.way:<13} {'  '.join(cells)}  obeyed: {by}; unread {unread}; n spilled {each['spilled'].n}"
                )
        for _, pair, contest in found.contests:
            if pair == langs:
                p = "–" if contest.change.p is None else p_value(contest.change.p)
                print(f"    {contest.first} → {contest.second}: {contest.change.difference:+.1f} points, p {p}")
    print(flush=True)


def over_a_server(chat: Chat, langs: list[str]) -> None:
    """A chat model told by context, prompts and a glossary, over HTTP."""
    with serving(chat) as name:
        show(control(langs, [name], list(PROMPTS), cached=False), f"openai:{chat.model}")


def main() -> None:
    """Print what each system did with what it was told, in each language."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("langs", nargs="*", default=list(LANGS))
    parser.add_argument("--tagged", type=Path)
    parser.add_argument("--instructed", type=Path)
    parser.add_argument("--prefix", default="<2{target}>")
    parser.add_argument("--only", choices=("bundled", "prose", "rules", "tagged", "learned"))
    given = parser.parse_args()

    def wanted(name: str) -> bool:
        return given.only in (None, name)

    def model(folder: Path) -> str:
        return f"ctranslate2:{folder}" + (f"?source_prefix={given.prefix}" if given.prefix else "")

    named = [way.name for way in ways() if way.kind in ("tag", "context", "glossary")]
    if wanted("bundled"):
        show(control(given.langs, ["bundled"], named), "bundled")
    if wanted("prose"):
        over_a_server(Prose(), given.langs)
    if wanted("rules"):
        over_a_server(Rules(), given.langs)
    if given.tagged and wanted("tagged"):
        show(control(given.langs, [model(given.tagged)], named), f"tagged {given.tagged.name}")
    if given.instructed and wanted("learned"):
        over_a_server(Prose(model(given.instructed), learned=True), given.langs)


if __name__ == "__main__":
    main()
