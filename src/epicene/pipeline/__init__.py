"""The order of the stages: set → system → detector → measures; what they need is opened once and handed on."""
