"""Measured points as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from epicene_lab.points import Point


def line(point: Point) -> str:
    """A point on one line, with n, spread and what could not be read."""
    key = point.key
    engine = "" if key.engine == "lab" else f" {key.engine}"
    parts = [f"{key.langs} {key.model} seed {key.seed} {key.precision} beam {key.beam}{engine}:"]
    if time := point.time:
        scale = 1000 / time.sentences
        spread = f"[{scale * time.low:.1f}, {scale * time.high:.1f}]"
        percent = f"{time.percent:.1f} [{time.percent_low:.1f}, {time.percent_high:.1f}] % of the baseline"
        parts.append(
            f"{percent}; {scale * time.seconds:.1f} {spread} ms a sentence ({time.sentences} × {time.repeats})"
        )
    if quality := point.quality:
        scores = quality.scores["epicene"]
        n = sum(quality.n.values())
        parts.append(f"BLEU {quality.bleu:.1f} (n = {quality.lines}),")
        correct = 100 * sum(scores.correct.values()) / n
        parts.append(
            f"SimpleGEN {correct:.1f} % correct, {100 * sum(scores.unread.values()) / n:.1f} % unread (n = {n})"
        )
    return " ".join(parts)
