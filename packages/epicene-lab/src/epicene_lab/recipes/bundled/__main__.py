"""``python -m epicene_lab.recipes.bundled``: choose text here, tokenise it where the GPU is.

``epicene_lab.recipes.simplegen run`` trains.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from epicene_lab.recipes import run_stage


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out one stage."""
    return run_stage(_parser(), arguments)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m epicene_lab.recipes.bundled", description=(__doc__ or "").splitlines()[0]
    )
    stages = parser.add_subparsers(required=True)
    stage = stages.add_parser("gather", help="more sentence pairs of Tatoeba, from a clone of OPUS-MT-train")
    stage.add_argument("languages", nargs="+", metavar="LANGUAGE[=FILE]", help="it, or pt=pairs.tsv: further pairs")
    stage.add_argument(
        "--opus", type=Path, required=True, help="a clone of Helsinki-NLP/OPUS-MT-train, with its history"
    )
    stage.add_argument("--data", type=Path, required=True, help="the folder of Tatoeba's pairs with English")
    stage.add_argument("-o", "--out", type=Path, required=True)
    stage.set_defaults(stage=_gather)
    stage = stages.add_parser("choose", help="choose and pack text, learn the vocabulary")
    stage.add_argument("--recipe", default="bundled", help="its name, or a .toml file")
    stage.add_argument("--data", type=Path, required=True, help="the folder of Tatoeba and news files")
    stage.add_argument(
        "--europarl",
        type=Path,
        required=True,
        help="a clone of Multilingual-Parallel-Direct-Europarl, or a folder of LANGUAGE.tsv, English first",
    )
    stage.add_argument("--most", type=int, default=290_000, help="English sentences of the European Parliament")
    stage.add_argument("-o", "--out", type=Path, required=True)
    stage.set_defaults(stage=_choose)
    stage = stages.add_parser("tokenise", help="cut packed text into pieces, on all cores")
    stage.add_argument("folder", type=Path)
    stage.add_argument("--workers", type=int, default=0)
    stage.set_defaults(stage=_tokenise)
    stage.add_argument("--beside", type=Path, nargs="*", default=[], help="folders of further packed text")
    stage = stages.add_parser("english", help="prepare a model into English from pairs of other languages")
    stage.add_argument("pairs", nargs="+", metavar="LANGUAGE=FILE", help="such as hu=pairs.tsv.gz, English first")
    stage.add_argument("--recipe", default=str(Path(__file__).with_name("english.toml")))
    stage.add_argument("--data", type=Path, required=True, help="the folder of the test files")
    stage.add_argument("-o", "--out", type=Path, required=True)
    stage.set_defaults(stage=_english)
    stage = stages.add_parser("measure", help="BLEU and unread people, from what was decoded")
    stage.add_argument("arrived", type=Path, help="the folder of outputs.tar")
    stage.add_argument("--data", type=Path, required=True, help="what was prepared")
    stage.add_argument("--texts", type=Path, help="also write the translations here")
    stage.set_defaults(stage=_measure)
    stage = stages.add_parser("places", help="whether a model names people wherever they stand in a sentence")
    stage.add_argument("model", type=Path, help="a folder that ship wrote")
    stage.set_defaults(stage=_places)
    stage = stages.add_parser("ship", help="export a trained model to where it is shipped from, with its card")
    stage.add_argument("model", type=Path, help="a folder that epicene_lab.recipes.simplegen collect --models wrote")
    stage.add_argument("--pairs", nargs="*", default=[], metavar="hu-en", help="of a model that knows no tags")
    stage.add_argument("--card", type=Path, required=True, help="its README: data, licence, what it is worth")
    stage.add_argument("-o", "--out", type=Path, required=True, help="a folder of epicene_models")
    stage.set_defaults(stage=_ship)
    stage = stages.add_parser("keep", help="what a model said of the occupations, for the study")
    stage.add_argument("arrived", type=Path, help="the folder of outputs.tar")
    stage.add_argument("--data", type=Path, required=True, help="what was prepared")
    stage.add_argument(
        "-o",
        "--out",
        type=Path,
        required=True,
        help="epicene_lab/tables/occupations",
    )
    stage.set_defaults(stage=_keep)
    return parser


def _places(given: argparse.Namespace) -> Iterable[str]:
    from epicene_lab.recipes.bundled import measured

    return measured.places(given.model)


def _ship(given: argparse.Namespace) -> Iterable[str]:
    from epicene_lab.recipes.bundled import shipped

    return shipped.ship(given.model, given.pairs, given.card.read_text(encoding="utf-8").strip(), given.out)


def _keep(given: argparse.Namespace) -> Iterable[str]:
    from epicene_lab.recipes.bundled import shipped

    return shipped.keep(given.arrived, given.data, given.out)


def _gather(given: argparse.Namespace) -> Iterable[str]:
    from epicene_lab.recipes.bundled import gathered

    parts = (language.partition("=") for language in given.languages)
    beside = {name: Path(path) if path else None for name, _, path in parts}
    return gathered.gather(given.opus, given.data, beside, given.out)


def _choose(given: argparse.Namespace) -> Iterable[str]:
    from epicene_lab.recipe import load
    from epicene_lab.recipes.bundled import prepared

    return prepared.choose(load(given.recipe), given.data, given.europarl, given.out, given.most)


def _tokenise(given: argparse.Namespace) -> Iterable[str]:
    from epicene_lab.recipes.bundled import tokenised

    return tokenised.tokenise(given.folder, workers=given.workers, beside=given.beside)


def _english(given: argparse.Namespace) -> Iterable[str]:
    from epicene_lab.recipe import load
    from epicene_lab.recipes.bundled import english

    files = {name: Path(path) for name, _, path in (pair.partition("=") for pair in given.pairs)}
    return english.into_english(load(given.recipe), files, given.data, given.out)


def _measure(given: argparse.Namespace) -> Iterable[str]:
    from epicene_lab.recipes.bundled import measured

    return measured.measure(given.arrived, given.data, given.texts)


if __name__ == "__main__":
    sys.exit(main())
