"""``python -m epicene_lab.recipes.simplegen``: prepare corpora here, train where a GPU is, score what comes back.

``run`` and ``pack`` need PyTorch and NumPy and nothing else of epicene's dependencies.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from epicene_lab.recipes import Stages


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out one stage."""
    stages = Stages("epicene_lab.recipes.simplegen", __doc__ or "")
    stage = stages.add("prepare", "gather and tokenise the study's text, and list its jobs", "jobs.prepare")
    stage.add_argument("--recipe", default="plan", help="plan, or a .toml file")
    stage.add_argument("--data", type=Path, required=True, help="the folder of the Tatoeba and newstest files")
    stage.add_argument("--europarl", type=Path, required=True, help="a clone of Multilingual-Parallel-Direct-Europarl")
    stage.add_argument("--part", type=int, default=200_000, help="sentence pairs of a file")
    stage.add_argument("-o", "--out", type=Path, required=True)
    stage = stages.add("power", "the interval widths to be expected of the plan's models", "power.expect_power")
    stage.add_argument("--recipe", default="plan", help="plan, or a .toml file")
    stage.add_argument("--results", type=Path, help="a folder of results; without it, the shipped ones")
    stage = stages.add("run", "train and decode all jobs that are not finished yet", "fleet.run")
    stage.add_argument("jobs", type=Path, nargs="+")
    stage.add_argument("--folder", type=Path, default=Path("runs/lab"), help="where models are kept between calls")
    stage.add_argument("--workers", type=int, default=6)
    stage.add_argument("--seconds", type=float, default=540)
    stage.add_argument("--minutes", type=float, help="lower a model's updates so that its training ends by then")
    stage.add_argument("--device", default="cuda")
    stage.add_argument("--only", default="", help="jobs whose name contains this")
    stage.add_argument("--one-mode", action="store_true", help="decode in float with beam 5 only")
    stage.add_argument("--no-graphs", action="store_true", help="no CUDA graphs: for many models side by side")
    stage = stages.add("time", "time models on the processor as they are trained", "times.run")
    stage.add_argument("jobs", type=Path)
    stage.add_argument("--folder", type=Path, default=Path("runs/lab"))
    stage.add_argument("--workers", type=int, default=5)
    stage.add_argument("--seconds", type=float, default=540)
    stage.add_argument("--sentences", type=int, default=200)
    stage.add_argument("--only", default="labour.", help="jobs whose name begins with this")
    stage = stages.add("send", "outputs and times that were not sent yet, in pieces that may travel", "fleet.send")
    stage.add_argument("--folder", type=Path, default=Path("runs/lab"))
    stage.add_argument("-o", "--out", type=Path, required=True)
    stage = stages.add("pack", "the 8-bit weights of models, in pieces that may travel", "fleet.pack")
    stage.add_argument("models", nargs="+")
    stage.add_argument("--folder", type=Path, default=Path("runs/lab"))
    stage.add_argument("-o", "--out", type=Path, required=True)
    stage = stages.add("keep", "read all outputs of a folder of results and keep the verdicts", "arrivals.keep")
    stage.add_argument("folder", type=Path)
    stage = stages.add(
        "collect", "score what was decoded (--tests), unpack what was trained (--models)", "arrivals.collect"
    )
    stage.add_argument("folders", type=Path, nargs="+")
    stage.add_argument("--data", type=Path, required=True, help="what prepare wrote")
    stage.add_argument("--tests", type=Path, help="the folder of the test files")
    stage.add_argument("--models", type=Path, help="where models are unpacked")
    stage.add_argument("-o", "--out", type=Path, default=Path("lab-results"), help="the folder of the study's results")
    return stages.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
