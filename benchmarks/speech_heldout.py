"""Quality of a direct speech translator on held-out recordings: word error rate and BLEU by voice and language.

``python -m benchmarks.speech_heldout OUTPUTS.tsv`` reads the table of ``epicene lab speech decode``: English is
compared with what was said (jiwer, lower case, no punctuation), other languages with the reference translation
(sacreBLEU). Voices that were never trained on are marked.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from pathlib import Path

from epicene.measures.recognition import words

UNSEEN = ("flite:rms", "espeak-ng:en-us+f3")


def main() -> None:
    """Print a line for each voice."""
    if not sys.argv[1:]:
        print("skipped: it needs a table of epicene lab speech decode")
        return
    groups: dict[str, dict[str, list[tuple[str, str]]]] = defaultdict(lambda: defaultdict(list))
    with Path(sys.argv[1]).open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["reference"]:
                for voice in (row["voice"], "unseen" if row["voice"] in UNSEEN else "seen", "all"):
                    groups[voice][row["language"]].append((row["reference"], row["output"]))
    languages = sorted({code for found in groups.values() for code in found} - {"en"})
    print(f"{'voice':<26} {'n':>6} {'WER en':>7} " + " ".join(f"BLEU {code:<3}" for code in languages))
    for voice, found in sorted(groups.items(), key=lambda each: (":" not in each[0], each[0])):
        cells = [f"{_bleu(found[code]):>7.1f} " if found.get(code) else " " * 8 for code in languages]
        wer = f"{_wer(found['en']):>6.1f}%" if found.get("en") else " " * 7
        print(f"{voice + ' (unseen)' * (voice in UNSEEN):<26} {len(found['en']):>6} {wer} {' '.join(cells)}")


def _wer(pairs: list[tuple[str, str]]) -> float:
    """Word errors per word that was said, in per cent."""
    import jiwer

    said, heard = zip(*((" ".join(words(a)), " ".join(words(b))) for a, b in pairs), strict=True)
    return 100 * float(jiwer.wer(list(said), list(heard)))


def _bleu(pairs: list[tuple[str, str]]) -> float:
    import sacrebleu

    return float(sacrebleu.corpus_bleu([b for _, b in pairs], [[a for a, _ in pairs]]).score)


if __name__ == "__main__":
    main()
