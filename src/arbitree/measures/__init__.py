"""Coefficients and metrics: statistics prepared once, scores for all resamples at once."""
