"""What the decoded sentences say of a model: BLEU on all that has references, unread people, pronouns."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import epicene
from epicene.languages.codes import pair as parse_pair
from epicene.registry import Options
from epicene.systems.local import bundled
from epicene_lab import arrays, corpus, pieces
from epicene_lab.augment import name_in_english
from epicene_lab.corpus import PIECES
from epicene_lab.recipes.simplegen import arrivals
from epicene_lab.recipes.simplegen.fleet import OUTPUTS
from epicene_lab.speed import measure_bleu
from epicene_lab.tables import table

PLACES = {
    "who": ("The {person} opened the window.", "Last night the {person} saw a fox."),
    "whom": ("I met the {person} in the street.", "The police questioned the {person} yesterday."),
    "to whom": ("My uncle bought the {person} a coat.", "The boss sent the {person} a letter."),
    "whose": ("We like the {person}'s garden.", "The {person}'s car is red."),
}


def list_unnamed(model: Path, people: Sequence[Mapping[str, str]] = ()) -> Iterator[str]:
    """For each language and place, how many people's words are none of those that were taught."""
    people = people or table("augmentation", "people.tsv")
    system = bundled.Model(model, Options("bundled", {"beam": "1"}))
    for langs in map(parse_pair, bundled.read_pairs(model)):
        for place, frame in ((place, frame) for place, frames in PLACES.items() for frame in frames):
            sources = [frame.format(person=name_in_english(person["concept"])) for person in people]
            translations = [text.casefold() for text in system.translate(sources, langs)]
            missed = [
                person["concept"]
                for person, text in zip(people, translations, strict=True)
                if not any(form.casefold() in text for form in person[langs.target].split("|"))
            ]
            what = f"{langs} {place}, {frame.format(person='...')!r}"
            yield f"{what}: {len(missed)} of {len(people)} not named: {', '.join(missed) or '-'}"


Said = dict[str, list[str]]  # translations by SET-LANGUAGE.PRECISION.BEAMS


def measure(arrived: Path, data: Path, texts: Path | None = None) -> Iterator[str]:
    """A line for each set and mode of each model whose outputs arrived; with ``texts``, the translations as files."""
    references = json.loads((data / "all" / "references.json").read_text(encoding="utf-8"))
    for model, translations in read_models(arrived, data / "all" / PIECES):
        for name, lines in translations.items():
            sentences = name.partition(".")[0]
            if sentences in references:
                score, _ = measure_bleu(lines, references[sentences])
                yield f"{model} {name}: BLEU {score:.1f}, {len(lines)} lines"
            else:
                yield f"{model} {name}: {_read(sentences, lines)}"
            if texts:
                texts.mkdir(parents=True, exist_ok=True)
                (texts / f"{model}.{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _read(sentences: str, lines: Sequence[str]) -> str:
    kind, language = sentences.split("-")
    if kind == "occupations":
        first = Counter(line.lower().split(" ")[0] for line in lines)
        return ", ".join(f"{word} {100 * number / len(lines):.1f} %" for word, number in first.most_common(6))
    if kind == "simplegen":
        result = epicene.score("simplegen", f"en-{language}", lines, anyway=True)
        rates = {group: result["correct", group].value for group in ("pro", "anti")}
        return f"unread {100 * result.genders['unknown'] / result.n:.1f} %, correct {rates}"
    return f"unread {100 * share_unread(lines, language, 4):.1f} % of {len(lines)}"


def share_unread(lines: Sequence[str], language: str, every: int) -> float:
    """The share of WinoMT's people that cannot be read, from translations of every so manieth sentence."""
    whole = [""] * len(corpus.read_challenge_sentences("winomt"))
    whole[::every] = lines
    result = epicene.score("winomt", f"en-{language}", whole, anyway=True)
    return (result.genders["unknown"] - (len(whole) - len(lines))) / len(lines)


def read_models(arrived: Path, vocabulary: Path) -> Iterator[tuple[str, Said]]:
    """What each model that arrived said of every set."""
    tool = pieces.open_processor(vocabulary)
    for name, files in arrivals.read_outputs([arrived]).items():
        decoded = arrays.load_bytes(files[OUTPUTS], f"{name}/{OUTPUTS}")
        sets = [key.removesuffix(".lengths") for key in decoded if key.endswith(".lengths")]
        yield name, {each: arrivals.read_said(decoded, each, tool) for each in sets}
