"""Scores of systems against a gold standard."""
