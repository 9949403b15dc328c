"""Whether a model names people wherever they stand in a sentence: who does something, and to whom it is done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from epicene.languages.codes import pair as parse_pair
from epicene.spec import Options
from epicene.systems.local import bundled
from epicene_lab.augment import english_name
from epicene_lab.tables import table

PLACES = {
    "who": ("The {person} opened the window.", "Last night the {person} saw a fox."),
    "whom": ("I met the {person} in the street.", "The police questioned the {person} yesterday."),
    "to whom": ("My uncle bought the {person} a coat.", "The boss sent the {person} a letter."),
    "whose": ("We like the {person}'s garden.", "The {person}'s car is red."),
}


def places(folder: Path, people: Sequence[Mapping[str, str]] = ()) -> Iterator[str]:
    """For each language and place, how many people's words are none of those that were taught."""
    people = people or table("augmentation", "people.tsv")
    system = bundled.Model(folder, Options("bundled", {"beam": "1"}))
    for langs in map(parse_pair, bundled.known(folder)):
        for place, frame in ((place, frame) for place, frames in PLACES.items() for frame in frames):
            sources = [frame.format(person=english_name(person["concept"])) for person in people]
            said = [text.casefold() for text in system.translate(sources, langs)]
            missed = [
                person["concept"]
                for person, text in zip(people, said, strict=True)
                if not any(form.casefold() in text for form in person[langs.target].split("|"))
            ]
            told = f"{langs} {place}, {frame.format(person='...')!r}"
            yield f"{told}: {len(missed)} of {len(people)} not named: {', '.join(missed) or '-'}"
