"""Writes the rows that are shipped of vectors: python -m epicene_lab.recipes.embeddings.rows VECTORS.npz XX OUT.npz.

VECTORS.npz is what ``epicene lab vectors`` wrote of a language's text, or a pipeline of spaCy's, spacy:NAME. Kept are
the words of all tests of the language, of the occupations, of the gender score and of debiasing, in numbers of two
bytes. Where a list writes oe or ss and the text œ or ß (soeur, Grossvater), the row stands under the spelling of the
list.
"""

from __future__ import annotations

import sys

import numpy as np

from epicene.embeddings.vectors import Case, Embedding, load
from epicene.embeddings.wefat import TERMS, shipped_jobs
from epicene.embeddings.wordlists import candidates, seed_lists, shipped
from epicene.sets.wibemt.sentences import occupations
from epicene_lab.embeddings.debias import definitional_pairs


def words(language: str) -> list[str]:
    """All words that something that is shipped asks for."""
    found = [word for test in shipped().values() if test.language == language for word in test.words]
    found += shipped()[TERMS[language]].words
    found += [word for job in shipped_jobs(language) for word in job.words]
    if language == "en":
        found += [word for each in seed_lists() for side in (each.feminine, each.masculine) for word in side]
        found += [name.replace(" ", "_") for name in occupations()]
        found += [word for pair in definitional_pairs() for word in pair]
        found += [*candidates("adjectives", ""), *candidates("verbs", "")]
    return list(dict.fromkeys(found))


def _open(source: str) -> Embedding:
    name = source.removeprefix("spacy:")
    if name == source:
        return source
    import spacy  # type: ignore[import-not-found]

    vocabulary: Embedding = spacy.load(name).vocab
    return vocabulary


def main(source: str, language: str, output: str) -> None:
    """Write the rows that are there."""
    wanted = words(language)
    other = {word: word.replace("oe", "œ").replace("ss", "ß") for word in wanted}
    found = load(_open(source), [*wanted, *other.values()], Case.EXACT)
    spelled = {word: each for word in wanted for each in (other[word], word) if each in found}
    kept = list(spelled)
    vectors = np.array([found[spelled[word]] for word in kept], dtype=np.float16)
    np.savez_compressed(output, words=np.array(kept), vectors=vectors)
    print(f"{len(kept)} of {len(wanted)} words; missing: {', '.join(word for word in wanted if word not in spelled)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
