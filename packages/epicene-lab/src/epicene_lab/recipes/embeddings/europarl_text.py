"""Writes the plain text of the European Parliament's debates.

Run python -m epicene_lab.recipes.embeddings.europarl_text REPO XX OUT N.

REPO is a clone of UDS-SFB-B6-Datasets/Multilingual-Parallel-Direct-Europarl, XX one of its languages. Every Nth
paragraph is taken, all without N, one a line, sittings in the order of their dates; what a speaker did not say
(applause, votes) is left out, and so are sittings of a time when nothing was translated any more.
"""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

from epicene_lab.europarl import read_paragraphs


def main(repository: str, language: str, output: str, every: str = "1") -> None:
    """Write one paragraph a line."""
    said = (" ".join(paragraph.split()) for paragraph in read_paragraphs(Path(repository), language))
    with Path(output).open("w", encoding="utf-8") as file:
        file.writelines(f"{text}\n" for text in islice(filter(None, said), 0, None, int(every)))


if __name__ == "__main__":
    main(*sys.argv[1:])
