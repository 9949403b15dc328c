"""The order of the stages: set → system → detector → measures. Nothing else knows it.

``plan`` opens every set, system, detector and reference once; ``translate``, ``score``, ``audit`` and ``compare`` are
handed what it opened. ``interpret``, ``listening`` and ``recognition`` are for speech, imported where there is some.
"""
