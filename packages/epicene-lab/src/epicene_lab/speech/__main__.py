"""``python -m epicene_lab.speech``: stages for a machine that has PyTorch, numpy, SentencePiece and nothing else."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from epicene.errors import EpiceneError


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def speak(given: argparse.Namespace) -> None:
    """Speak a text on all cores."""
    from epicene_lab.speech import plan
    from epicene_lab.speech.speak import Order
    from epicene_lab.speech.speak import speak as run

    how = {"programs": given.programs, "heldout": given.heldout, "voices": tuple(given.voice), "most": given.most}
    _, manner = plan.load(given.recipe)
    order = Order(given.text, given.output, manner, **how, workers=given.workers, minutes=given.minutes)
    found = run(order, _say)
    print(f"{given.output}: {found.recordings} recordings, {found.seconds / 3600:.2f} h")


def prepare(given: argparse.Namespace) -> None:
    """Learn pieces and cut the text into them."""
    from epicene_lab.speech import recipe, targets

    count = targets.prepare(given.text, recipe.load(given.recipe), given.output, given.pieces)
    print(f"{given.output}: {count} sentences")


def train(given: argparse.Namespace) -> None:
    """Train a model, or go on training it."""
    from epicene_lab.speech import recipe
    from epicene_lab.speech.train import device
    from epicene_lab.speech.train import train as run
    from epicene_lab.speech.training import Order

    how = {"seed": given.seed, "device": device(given.device), "minutes": given.minutes, "wait": given.wait}
    run(Order(recipe.load(given.recipe), given.data, given.speech, given.output, **how), _say)
    print(given.output)


def decode(given: argparse.Namespace) -> None:
    """Write what a model makes of shards."""
    from epicene_lab.speech.decode import Decoding
    from epicene_lab.speech.decode import decode as run
    from epicene_lab.speech.train import device

    how = {"languages": tuple(given.languages.split(",")), "beam": given.beam, "most": given.most}
    order = Decoding(given.model, given.text, given.speech, given.output, **how, device=device(given.device))
    print(f"{given.output}: {run(order, _say)} lines")


def parser() -> argparse.ArgumentParser:
    """The stages and their options, as ``epicene lab speech`` has them."""
    found = argparse.ArgumentParser(prog="python -m epicene_lab.speech", description=__doc__)
    stages = found.add_subparsers(required=True, metavar="STAGE")
    stage = stages.add_parser("speak", help=speak.__doc__)
    stage.set_defaults(run=speak)
    stage.add_argument("text", type=Path)
    stage.add_argument("-o", "--output", type=Path, required=True)
    stage.add_argument("--recipe", type=Path)
    stage.add_argument("--programs", type=Path)
    stage.add_argument("--heldout", action="store_true")
    stage.add_argument("--voice", action="append", default=[])
    stage.add_argument("--most", type=int, default=0)
    stage.add_argument("--workers", type=int, default=0)
    stage.add_argument("--minutes", type=float)
    stage = stages.add_parser("prepare", help=prepare.__doc__)
    stage.set_defaults(run=prepare)
    stage.add_argument("text", type=Path)
    stage.add_argument("-o", "--output", type=Path, required=True)
    stage.add_argument("--recipe", type=Path)
    stage.add_argument("--pieces", type=Path)
    stage = stages.add_parser("train", help=train.__doc__)
    stage.set_defaults(run=train)
    stage.add_argument("speech", type=Path)
    stage.add_argument("--data", type=Path, required=True)
    stage.add_argument("-o", "--output", type=Path, required=True)
    stage.add_argument("--recipe", type=Path)
    stage.add_argument("--seed", type=int, default=1)
    stage.add_argument("--minutes", type=float)
    stage.add_argument("--wait", type=float, default=0.0)
    stage.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    stage = stages.add_parser("decode", help=decode.__doc__)
    stage.set_defaults(run=decode)
    stage.add_argument("model", type=Path)
    stage.add_argument("speech", type=Path)
    stage.add_argument("--text", type=Path, required=True)
    stage.add_argument("-o", "--output", type=Path, required=True)
    stage.add_argument("--languages", default="en,de,es,fr,it")
    stage.add_argument("--beam", type=int, default=1)
    stage.add_argument("--most", type=int, default=0)
    stage.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    return found


def main() -> None:
    """Run one stage; every error that is raised on purpose is one line."""
    given = parser().parse_args()
    try:
        given.run(given)
    except EpiceneError as error:
        print(f"epicene: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        print("epicene: stopped; the same command goes on from the last checkpoint", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
