"""WiBeMT, its verb sentences alone."""

from __future__ import annotations

from epicene.sets import wibemt

SET = wibemt.variant("", "wibemt-verbs")
