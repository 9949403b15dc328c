"""``python -m epicene_lab.recipes.bundled``: choose text here, tokenise it where the GPU is.

``epicene_lab.recipes.simplegen run`` trains.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from epicene_lab.recipes import Stages


def main(arguments: Sequence[str] | None = None) -> int:
    """Carry out one stage."""
    stages = Stages("epicene_lab.recipes.bundled", __doc__ or "")
    stage = stages.add("gather", "more sentence pairs of Tatoeba, from a clone of OPUS-MT-train", "gathered.gather")
    stage.add_argument("languages", nargs="+", metavar="LANGUAGE[=FILE]", help="it, or pt=pairs.tsv: further pairs")
    stage.add_argument(
        "--opus", type=Path, required=True, help="a clone of Helsinki-NLP/OPUS-MT-train, with its history"
    )
    stage.add_argument("--data", type=Path, required=True, help="the folder of Tatoeba's pairs with English")
    stage.add_argument("-o", "--out", type=Path, required=True)
    stage = stages.add("choose", "choose and pack text, learn the vocabulary", "prepared.choose")
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
    stage = stages.add("tokenise", "cut packed text into pieces, on all cores", "tokenised.tokenise")
    stage.add_argument("folder", type=Path)
    stage.add_argument("--workers", type=int, default=0)
    stage.add_argument("--beside", type=Path, nargs="*", default=[], help="folders of further packed text")
    stage = stages.add("english", "prepare a model into English from pairs of other languages", "english.into_english")
    stage.add_argument("pairs", nargs="+", metavar="LANGUAGE=FILE", help="such as hu=pairs.tsv.gz, English first")
    stage.add_argument("--recipe", default=str(Path(__file__).with_name("english.toml")))
    stage.add_argument("--data", type=Path, required=True, help="the folder of the test files")
    stage.add_argument("-o", "--out", type=Path, required=True)
    stage = stages.add("measure", "BLEU and unread people, from what was decoded", "measured.measure")
    stage.add_argument("arrived", type=Path, help="the folder of outputs.tar")
    stage.add_argument("--data", type=Path, required=True, help="what was prepared")
    stage.add_argument("--texts", type=Path, help="also write the translations here")
    stage = stages.add(
        "places", "whether a model names people wherever they stand in a sentence", "measured.list_unnamed"
    )
    stage.add_argument("model", type=Path, help="a folder that ship wrote")
    stage = stages.add("ship", "export a trained model to where it is shipped from, with its card", "shipped.ship")
    stage.add_argument("model", type=Path, help="a folder that epicene_lab.recipes.simplegen collect --models wrote")
    stage.add_argument("--pairs", nargs="*", default=[], metavar="hu-en", help="of a model that knows no tags")
    stage.add_argument("--card", type=Path, required=True, help="its README: data, licence, what it is worth")
    stage.add_argument("-o", "--out", type=Path, required=True, help="a folder of epicene_models")
    stage = stages.add("keep", "what a model said of the occupations, for the study", "shipped.keep")
    stage.add_argument("arrived", type=Path, help="the folder of outputs.tar")
    stage.add_argument("--data", type=Path, required=True, help="what was prepared")
    stage.add_argument("-o", "--out", type=Path, required=True, help="epicene_lab/tables/occupations")
    return stages.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
