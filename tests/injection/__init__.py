"""Drift injection: changes that upstream might make tomorrow, made to what it ships today, the right answer known.

    python -m tests.injection --packages --seed 1

A subject is an artefact that is read right (a real package, or a small bundle that the tests write); a mutant is the
subject after one change, with what a reader must then say, known by construction and never from the reader itself.
"""
