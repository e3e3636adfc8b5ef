"""Deciding where coders differ: contested places, what may be chosen, and the outcome."""
