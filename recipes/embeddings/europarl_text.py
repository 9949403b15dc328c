"""Writes the plain text of the European Parliament's debates: python -m recipes.embeddings.europarl_text REPO XX OUT N.

REPO is a git directory of UDS-SFB-B6-Datasets/Multilingual-Parallel-Direct-Europarl, XX one of its languages. Every Nth
paragraph is taken, all without N, one a line, sittings in the order of their dates; what a speaker did not say
(applause, votes) is left out.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

_FOLDER = "proceedings/xml"


def paragraphs(repository: str, language: str) -> Iterator[str]:
    """Each paragraph that was spoken, whitespace as single blanks."""
    # One archive of the language: a process a sitting would take longer than all of the reading.
    command = ["git", "-C", repository, "archive", "--format=tar", "HEAD", f"{_FOLDER}/{language}"]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE) as git,
        tarfile.open(fileobj=git.stdout, mode="r|") as archive,
    ):
        for member in archive:
            content = archive.extractfile(member)
            if content is None:
                continue
            root = ElementTree.parse(content).getroot()  # noqa: S314  a repository that one chose oneself
            for speech in root.iter("intervention"):
                for paragraph in speech.iter("p"):
                    text = " ".join("".join(paragraph.itertext()).split())
                    if text:
                        yield text
    if git.returncode:
        raise SystemExit(f"{repository}: git cannot read {_FOLDER}/{language}")


def main(repository: str, language: str, output: str, every: str = "1") -> None:
    """Write one paragraph a line."""
    with Path(output).open("w", encoding="utf-8") as file:
        file.writelines(f"{text}\n" for text in islice(paragraphs(repository, language), 0, None, int(every)))


if __name__ == "__main__":
    main(*sys.argv[1:])
