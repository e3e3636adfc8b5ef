"""Verdicts of judges, correlation with metrics, tests."""
