"""Protocol ``paper`` of WinoMT beside what the authors' scripts logged in 2019."""

from __future__ import annotations

import os
from pathlib import Path

import epicene
from epicene import published
from epicene.tables import rows


def results(
    folder: Path, systems: tuple[str, ...] = ("google", "bing")
) -> list[tuple[str, str, float, float, float, float]]:
    """System, language, and accuracy and ΔG as logged and as computed."""
    published.add("winomt", folder / "winomt")
    found = []
    for row in rows(
        (folder / "winomt" / "logged_results_2019.tsv").read_text(encoding="utf-8"), "logged_results_2019.tsv"
    ):
        path = folder / "winomt" / "translations" / f"{row['system']}.en-{row['lang']}.txt"
        if row["system"] in systems and path.is_file():
            result = epicene.score("winomt", f"en-{row['lang']}", path, "paper")
            ours = (result["accuracy"].value or 0, result["delta_g"].value or 0)
            found.append((row["system"], row["lang"], float(row["acc"]), ours[0], float(row["delta_G"]), ours[1]))
    return found


def main() -> None:
    """Print logged and computed figures."""
    print(f"{'system':<8} {'lang':<5} {'acc logged':>10} {'ours':>6} {'ΔG logged':>10} {'ours':>6}")
    for system, language, accuracy, ours, gap, our_gap in results(Path(os.environ["EPICENE_TEST_DATA"])):
        print(f"{system:<8} {language:<5} {accuracy:>10.1f} {ours:>6.1f} {gap:>10.1f} {our_gap:>6.1f}")


if __name__ == "__main__":
    main()
