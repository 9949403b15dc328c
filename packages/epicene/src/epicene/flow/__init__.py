"""The order of the stages: set → system → detector → measures. Nothing else knows it.

``plan`` opens every set, system, detector and reference once; ``translate``, ``score`` and ``audit`` are handed what it
opened. ``hear`` is for speech, imported where there is some.
"""
