"""Reads the gender of any person of a sentence: nouns, names and pronouns, listed in a lexicon or not."""
