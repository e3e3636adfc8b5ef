"""Coefficients and metrics: statistics are prepared once, and all resamples are scored at once."""
