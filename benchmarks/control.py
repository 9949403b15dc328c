"""Who obeys: ``bundled`` told by context and glossary, and an OpenAI-style server told by prompt and glossary."""

from __future__ import annotations

import sys

from benchmarks._chat_server import MODEL, serving
from epicene.acting import control
from epicene.cli.control import _show

LANGS = ("en-es", "en-de")


def main() -> None:
    """Print what each system did with what it was told, in each language."""
    langs = sys.argv[1:] or list(LANGS)
    _show(control(langs, ["bundled"], ["tag", "context", "context-name", "glossary"]))
    with serving() as url:
        name = f"openai:{MODEL}?url={url}&rate=1000&concurrent=1"
        _show(control(langs, [name], ["context", "prompt-plain", "prompt-strict", "glossary"], cached=False))


if __name__ == "__main__":
    main()
