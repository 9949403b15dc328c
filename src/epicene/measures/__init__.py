"""Measures: one file per family.

A family has ``key(item)``, which says what of an item is counted, ``measures(tally)``, and ``groups(item)``, the groups
that a sentence counts for when two systems are compared. The family of a set that is compared with references has
``measures(tally, references)`` and ``notes(tally, references)``: what they say nothing about.
"""
