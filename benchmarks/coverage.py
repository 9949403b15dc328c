"""What stays unread on WinoMT: google's and bing's translations in eight languages."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import epicene
from epicene import published

LANGUAGES = ("es", "fr", "it", "ru", "uk", "he", "ar", "de")


def main() -> None:
    """Print the shares of unread and neutral sentences, and by which step the others were read."""
    folder = Path(os.environ["EPICENE_TEST_DATA"]) / "winomt"
    published.add("winomt", folder)
    print(f"{'system':<7} {'lang':<4} {'unknown':>8} {'neutral':>8}  read by")
    for language in LANGUAGES:
        for system in ("google", "bing"):
            result = epicene.score("winomt", f"en-{language}", folder / "translations" / f"{system}.en-{language}.txt")
            shares = {gender: 100 * count / result.n for gender, count in result.genders.items()}
            methods = Counter(verdict.step for verdict in result.verdicts if verdict.step != "none")
            steps = ", ".join(f"{name} {count}" for name, count in methods.most_common())
            print(
                f"{system:<7} {language:<4} {shares['unknown']:>7.2f}% {shares['neutral']:>7.2f}%  {steps}", flush=True
            )


if __name__ == "__main__":
    main()
