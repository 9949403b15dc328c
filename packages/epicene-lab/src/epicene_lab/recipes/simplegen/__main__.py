"""``python -m epicene_lab.recipes.simplegen``: prepare corpora here, train where a GPU is, score what comes back.

``run`` and ``pack`` need PyTorch and NumPy and nothing else of epicene's dependencies.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from epicene_lab.recipes import run_stage


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out one stage."""
    return run_stage(_parser(), arguments)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m epicene_lab.recipes.simplegen", description=(__doc__ or "").splitlines()[0]
    )
    stages = parser.add_subparsers(required=True)
    stage = stages.add_parser("prepare", help="gather and tokenise the study's text, and list its jobs")
    stage.add_argument("--recipe", default="plan", help="plan, or a .toml file")
    stage.add_argument("--data", type=Path, required=True, help="the folder of the Tatoeba and newstest files")
    stage.add_argument("--europarl", type=Path, required=True, help="a clone of Multilingual-Parallel-Direct-Europarl")
    stage.add_argument("--part", type=int, default=200_000, help="sentence pairs of a file")
    stage.add_argument("-o", "--out", type=Path, required=True)
    stage.set_defaults(stage=_prepare)
    stage = stages.add_parser("power", help="the interval widths to be expected of the plan's models")
    stage.add_argument("--recipe", default="plan", help="plan, or a .toml file")
    stage.add_argument("--results", type=Path, help="a folder of results; without it, the shipped ones")
    stage.set_defaults(stage=_power)
    stage = stages.add_parser("run", help="train and decode all jobs that are not finished yet")
    stage.add_argument("jobs", type=Path, nargs="+")
    stage.add_argument("--folder", type=Path, default=Path("runs/lab"), help="where models are kept between calls")
    stage.add_argument("--workers", type=int, default=6)
    stage.add_argument("--seconds", type=float, default=540)
    stage.add_argument("--minutes", type=float, help="lower a model's updates so that its training ends by then")
    stage.add_argument("--device", default="cuda")
    stage.add_argument("--only", default="", help="jobs whose name contains this")
    stage.add_argument("--one-mode", action="store_true", help="decode in float with beam 5 only")
    stage.add_argument("--no-graphs", action="store_true", help="no CUDA graphs: for many models side by side")
    stage.set_defaults(stage=_run)
    stage = stages.add_parser("time", help="time models on the processor as they are trained")
    stage.add_argument("jobs", type=Path)
    stage.add_argument("--folder", type=Path, default=Path("runs/lab"))
    stage.add_argument("--workers", type=int, default=5)
    stage.add_argument("--seconds", type=float, default=540)
    stage.add_argument("--sentences", type=int, default=200)
    stage.add_argument("--only", default="labour.", help="jobs whose name begins with this")
    stage.set_defaults(stage=_time)
    stage = stages.add_parser("send", help="outputs and times that were not sent yet, in pieces that may travel")
    stage.add_argument("--folder", type=Path, default=Path("runs/lab"))
    stage.add_argument("-o", "--out", type=Path, required=True)
    stage.set_defaults(stage=_send)
    stage = stages.add_parser("pack", help="the 8-bit weights of models, in pieces that may travel")
    stage.add_argument("models", nargs="+")
    stage.add_argument("--folder", type=Path, default=Path("runs/lab"))
    stage.add_argument("-o", "--out", type=Path, required=True)
    stage.set_defaults(stage=_pack)
    stage = stages.add_parser("keep", help="read all outputs of a folder of results and keep the verdicts")
    stage.add_argument("folder", type=Path)
    stage.set_defaults(stage=_keep)
    stage = stages.add_parser("collect", help="score what was decoded (--tests), unpack what was trained (--models)")
    stage.add_argument("folders", type=Path, nargs="+")
    stage.add_argument("--data", type=Path, required=True, help="what prepare wrote")
    stage.add_argument("--tests", type=Path, help="the folder of the test files")
    stage.add_argument("--models", type=Path, help="where models are unpacked")
    stage.add_argument("-o", "--out", type=Path, default=Path("lab-results"), help="the folder of the study's results")
    stage.set_defaults(stage=_collect)
    return parser


def _prepare(given: argparse.Namespace) -> Iterator[str]:
    from epicene_lab.recipe import load
    from epicene_lab.recipes.simplegen import jobs

    return jobs.prepare(load(given.recipe), given.data, given.europarl, given.out, given.part)


def _power(given: argparse.Namespace) -> Iterator[str]:
    from epicene_lab.recipe import load
    from epicene_lab.recipes.simplegen.power import expect_power
    from epicene_lab.shipped import Results, shipped

    return expect_power(Results(given.results or shipped()), load(given.recipe))


def _run(given: argparse.Namespace) -> Iterable[str]:
    from epicene_lab.recipes.simplegen import fleet

    found = [job for path in given.jobs for job in fleet.jobs(path) if given.only in job.name]
    todo = [replace(job, minutes=given.minutes, graphs=not given.no_graphs) for job in found]
    fleet.run(todo, given.folder, given.workers, given.seconds, given.device, not given.one_mode)
    return ()


def _time(given: argparse.Namespace) -> Iterable[str]:
    from epicene_lab.recipes.simplegen import fleet, times

    found = [job for job in fleet.jobs(given.jobs) if job.name.startswith(given.only)]
    times.run(found, given.folder, given.workers, given.seconds, given.sentences)
    return ()


def _send(given: argparse.Namespace) -> Iterable[str]:
    from epicene_lab.recipes.simplegen import fleet

    return fleet.send(given.folder, given.out)


def _pack(given: argparse.Namespace) -> Iterable[str]:
    from epicene_lab.recipes.simplegen import fleet

    fleet.pack(given.folder, given.models, given.out)
    return ()


def _keep(given: argparse.Namespace) -> Iterable[str]:
    from epicene_lab import shipped

    shipped.keep(given.folder, [("simplegen", "epicene"), ("simplegen", "paper"), ("winomt", "epicene")])
    return ()


def _collect(given: argparse.Namespace) -> Iterable[str]:
    from epicene_lab.recipes.simplegen import arrivals

    scored = arrivals.measure(given.folders, given.data, given.tests, given.out) if given.tests else ()
    unpacked = arrivals.unpack(given.folders, given.data, given.models) if given.models else ()
    return [*scored, *map(str, unpacked)]


if __name__ == "__main__":
    sys.exit(main())
