"""Every form of a translation that agrees with somebody, and whom it agrees with."""

from __future__ import annotations

from epicene.reader.grammar import Persons
from epicene.reader.objects import Objects
from epicene.reader.predicates import Predicates
from epicene.reader.subjects import NOBODY, THIRD, Found


class Agreements(Predicates, Objects):
    """Reads one translation piece by piece."""

    def all(self) -> list[Found]:
        """All forms that agree with somebody, in order."""
        found: list[Found] = []
        inherited: Persons = NOBODY
        for number, piece in enumerate(self.cut):
            if not piece.joined:
                inherited = NOBODY
            anchors = self.anchors(piece)
            found.extend(self.pronouns(piece, number))
            found.extend(self.pasts(piece, number, anchors, inherited))
            found.extend(self.predicates(piece, number, anchors, inherited))
            found.extend(self.objects(piece, number))
            found.extend(self.floating(piece, number, anchors, inherited))
            found.extend(self.roles(piece, number, anchors))
            if piece.relative:
                inherited = inherited if anchors else THIRD
            elif anchors:
                inherited = anchors[-1].persons
            elif any(self.entries[place].past and not self._leads(place, piece) for place in self._places(piece)):
                inherited = THIRD  # a noun is the subject
        return [one for one in found if one.place not in self.both]
