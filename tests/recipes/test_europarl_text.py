"""Plain text of a repository of debates."""

from __future__ import annotations

import subprocess
from pathlib import Path

from epicene_lab.recipes.embeddings.europarl_text import main

XML = """<text><section><intervention id="1"><p sl="de">Frau  Präsidentin,
ich danke.</p><a text="(Beifall)"/><p> </p></intervention></section></text>"""


def test_each_paragraph_that_was_spoken_is_a_line(tmp_path: Path) -> None:
    folder = tmp_path / "repo" / "proceedings" / "xml" / "de"
    folder.mkdir(parents=True)
    (folder / "19990720.DE.xml").write_text(XML, encoding="utf-8")
    git = ["git", "-C", str(tmp_path / "repo"), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "text"]):
        subprocess.run([*git, *command], check=True)
    main(str(tmp_path / "repo"), "de", str(tmp_path / "de.txt"))
    assert (tmp_path / "de.txt").read_text(encoding="utf-8") == "Frau Präsidentin, ich danke.\n"
