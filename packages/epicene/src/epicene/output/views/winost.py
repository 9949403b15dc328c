"""WinoST as text: as any set that is read aloud."""

from __future__ import annotations

from epicene.output.views.spoken import VIEW

__all__ = ["VIEW"]
