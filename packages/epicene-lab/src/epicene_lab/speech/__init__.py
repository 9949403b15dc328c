"""A small direct speech translator: its text, its speech, its training, and its export for CTranslate2."""
