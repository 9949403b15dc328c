"""Measures: one file per family.

A family has ``key(item)``, which says what of an item is counted, ``measures(tally)``, and ``groups(item)``, the groups
that a sentence counts for when two systems are compared.
"""
