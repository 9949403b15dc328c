"""What several people say: the majority holds, a tie is no decision, and κ is theirs."""

from __future__ import annotations

import pytest

from epicene.review.store import Decision, Key
from epicene.review.votes import agreement, count_votes
from epicene.types import Gender

F, M, N, U = Gender


def say(sentence: int, **people: Gender | None) -> list[Decision]:
    """Decisions of several people about a sentence."""
    key = Key("set", "en-de", "system", str(sentence))
    return [Decision(key, "text", name, gender) for name, gender in people.items()]


def test_the_majority_holds() -> None:
    found = count_votes(say(1, anna=F, ben=F, cleo=M))
    assert list(found.truth.values()) == [F]
    assert not found.divided


def test_a_tie_settles_nothing_and_is_counted() -> None:
    found = count_votes(say(1, anna=F, ben=M) + say(2, anna=F, ben=M, cleo=N, dan=F, eve=M))
    assert not found.truth
    assert list(found.divided.values()) == [(F, M), (F, M)]


def test_an_adjudication_holds_whatever_was_said_before_or_after() -> None:
    said = say(1, anna=F, ben=M) + say(2, anna=F, ben=F)
    final = [each._replace(final=True) for each in say(1, cleo=M) + say(2, cleo=F)]
    found = count_votes([*final, *said])
    assert list(found.truth.values()) == [M, F]
    assert (len(found.divided), len(found.adjudicated)) == (0, 1)  # on the second nobody was divided
    assert [each.group for each in agreement([*said, *final])] == ["anna / ben"]


def test_skipping_is_no_vote() -> None:
    found = count_votes(say(1, anna=None, ben=M) + say(2, anna=None))
    assert (list(found.truth.values()), len(found.divided)) == ([M], 0)


def test_agreement_is_over_what_both_decided() -> None:
    both = [each for n, gender in enumerate([F, M, F, M]) for each in say(n, anna=gender, ben=gender)]
    apart = say(10, anna=F) + say(11, ben=M) + say(12, anna=None, ben=F)
    (kappa,) = agreement(both + apart)
    assert (kappa.name, kappa.group, kappa.n) == ("kappa", "anna / ben", 4)
    assert kappa.value == pytest.approx(1)


def test_every_two_people_are_compared_and_strangers_are_not() -> None:
    shared = [each for n in range(6) for each in say(n, anna=F if n % 2 else M, ben=F if n % 3 else M)]
    found = agreement(shared + say(0, cleo=M) + say(20, dan=M))
    assert [each.group for each in found] == ["anna / ben", "anna / cleo", "ben / cleo"]
    assert found[0].value == pytest.approx(0)  # 3 of 6 agree, as many as by chance
    assert found[1].value is None  # one sentence says nothing about chance
