"""The bundled translator's card: BLEU, speed, SimpleGEN and size, as docs/bundled.md has them."""

from __future__ import annotations

import os
import time
from pathlib import Path

from epicene import api, systems
from epicene.lab.corpus import challenge_sentences, test_pairs
from epicene.lab.quality import bleu
from epicene.languages.codes import iso3
from epicene.languages.codes import pair as parse_pair
from epicene.systems.local.bundled import FOLDER, TARGETS


def translated(lines: list[str], target: str, beam: int) -> tuple[list[str], float]:
    """Translations, and seconds on all cores once the model is loaded."""
    system = systems.load(f"bundled?beam={beam}")
    langs = parse_pair(f"en-{target}")
    list(system.translate(lines[:1], langs))
    begun = time.perf_counter()
    found = list(system.translate(lines, langs))
    return found, time.perf_counter() - begun


def main() -> None:
    """Print the card's numbers."""
    tests = Path(os.environ["EPICENE_TEST_DATA"]) / "parallel"
    size = sum(path.stat().st_size for path in FOLDER.iterdir() if path.suffix != ".md")
    print(f"size {size / 1e6:.1f} MB (model, vocabulary, SentencePiece); {os.cpu_count()} cores")
    print(f"{'pair':<6} {'lines':>5} {'BLEU beam 5':>11} {'sentences/s':>11} {'BLEU beam 1':>11} {'sentences/s':>11}")
    signature = ""
    for target in TARGETS:
        pairs = test_pairs(tests / f"tatoeba_merged_test.eng-{iso3(target)}.tsv.gz")
        row = f"en-{target:<3} {len(pairs):>5}"
        for beam in (5, 1):
            found, seconds = translated([pair[0] for pair in pairs], target, beam)
            score, signature = bleu(found, [pair[1] for pair in pairs])
            row += f" {score:>11.1f} {len(pairs) / seconds:>11.0f}"
        print(row, flush=True)
    print(f"BLEU {signature}")
    for target in ("de", "es"):
        lines, _ = translated(challenge_sentences("simplegen"), target, 5)
        for protocol in ("epicene", "paper"):
            result = api.score("simplegen", f"en-{target}", lines, protocol)
            unread = 100 * result.genders["unknown"] / result.n
            rates = ", ".join(
                f"{group} {rate.value:.1f} [{rate.low:.1f}, {rate.high:.1f}]"
                for group in ("pro", "anti")
                if (rate := result["correct", group]).value is not None
            )
            print(f"SimpleGEN en-{target}, protocol {protocol}: n = {result.n}, unread {unread:.1f} %, {rates}")


if __name__ == "__main__":
    main()
