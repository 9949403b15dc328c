"""Protocol ``paper`` of WinoMT is near what the authors' scripts logged in 2019 (``logged_results_2019.tsv``)."""

from __future__ import annotations

from pathlib import Path

from benchmarks.papers import results

# French and Italian hang on a spaCy model of the time that is not to be had.
NEAR = {"es": (2, 4), "de": (2, 4), "ru": (2, 4), "uk": (2, 4), "he": (2, 4), "fr": (3, 5), "it": (3, 6)}


def test_accuracy_and_delta_g_of_google_are_near_the_logged_ones(published: Path) -> None:
    found = results(published, systems=("google",))
    assert {language for _, language, *_ in found} == NEAR.keys()
    for _, language, accuracy, ours, gap, our_gap in found:
        assert abs(accuracy - ours) <= NEAR[language][0], language
        assert abs(gap - our_gap) <= NEAR[language][1], language
