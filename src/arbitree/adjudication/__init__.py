"""Adjudicate disagreements between annotators: contested places, choices, decisions and the gold standard."""
