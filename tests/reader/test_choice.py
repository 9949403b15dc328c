"""Of several words that may name the person, the one is read that fits best, which is not always the nearest."""

from __future__ import annotations

from epicene.languages.lexicon import Reading
from epicene.reader.mentions import Mention, choose, nearer
from epicene.reader.words import Sentence, Word
from epicene.types import Item, Person

LENGTH = 100  # letters of source and translation alike, so that places are shares of both


def word(place: int, compound: bool = False, **ranks: int) -> Mention:
    """A word at a place, with how usual it is for each person that it may name: 0 for the most usual."""
    return Mention(place, place + 1, dict.fromkeys(ranks, Reading.EITHER), ranks, compound)


def chosen(nurse: int, *words: Mention, baker: int | None = None) -> int:
    """Where the word stands that is taken for the nurse; words for the nurse are those that rank as such."""
    text = translation(*words)
    return choose(text, [each for each in words if "nurse" in each.ranks], sentence(nurse, baker)).first


def translation(*words: Mention) -> Sentence:
    """A text of words of one letter, some of which name people."""
    letters = tuple(Word("x", "x", place, place + 1, 0) for place in range(LENGTH))
    return Sentence("x" * LENGTH, letters, list(words))


def sentence(nurse: int, baker: int | None = None) -> Item:
    others = () if baker is None else (Person("baker", baker, "baker"),)
    return Item("1", "x" * LENGTH, Person("nurse", nurse, "nurse"), None, {}, others=others)


def test_of_two_like_words_the_one_is_read_that_stands_where_the_person_does() -> None:
    words = word(10, nurse=0), word(60, nurse=0)
    assert chosen(20, *words) == 10
    assert chosen(50, *words) == 60


def test_a_usual_word_is_read_before_a_rare_one_that_stands_a_little_nearer() -> None:
    assert chosen(10, word(10, nurse=8), word(30, nurse=0)) == 30


def test_a_rare_word_is_read_before_a_usual_one_that_stands_far_off() -> None:
    assert chosen(10, word(10, nurse=8), word(60, nurse=0)) == 10


def test_a_word_is_never_too_rare_to_be_read_in_its_place() -> None:
    """The thirtieth word of a concept is no less likely than the tenth: both are translations that somebody chose."""
    assert chosen(10, word(10, nurse=30), word(60, nurse=0)) == 10


def test_a_word_of_its_own_is_read_before_a_compound_that_stands_a_little_nearer() -> None:
    assert chosen(10, word(10, compound=True, nurse=0), word(20, nurse=0)) == 20
    assert chosen(10, word(10, compound=True, nurse=0), word(60, nurse=0)) == 10


def test_the_nearest_word_is_left_to_the_other_person_who_has_no_other() -> None:
    assert chosen(10, word(10, nurse=0, baker=0), word(50, nurse=0), baker=20) == 50


def test_a_word_at_the_far_end_is_not_read_for_the_others_sake() -> None:
    assert chosen(0, word(0, nurse=0, baker=0), word(90, nurse=0), baker=50) == 0


def test_people_keep_their_order_where_words_hardly_tell() -> None:
    words = word(10, nurse=5, baker=0), word(20, nurse=0, baker=5)
    assert chosen(10, *words, baker=20) == 10


def test_people_change_places_where_the_words_say_so() -> None:
    words = word(10, nurse=10, baker=0), word(20, nurse=0, baker=10)
    assert chosen(10, *words, baker=20) == 20


def test_a_word_is_nearer_to_whom_it_stands_by() -> None:
    item = sentence(10, baker=60)
    (baker,) = item.others
    assert nearer(translation(), word(20, nurse=0), baker, item) is True
    assert nearer(translation(), word(50, nurse=0), baker, item) is False
