"""Reads the gender of a person in a translation as well as we can."""
