"""Studies: one file per paper, its plan and its published numbers beside ours.

A study is a module with ``TITLE``, ``INPUTS`` (what each input is, by its name) and ``run(inputs)``, which gets the
inputs that were found by name and returns a ``Study``. Inputs are given as NAME=PATH, or lie under their usual names.
With ``MORE`` it says what inputs of any other name are.
"""
