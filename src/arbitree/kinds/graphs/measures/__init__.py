"""Measures that fit semantic representations alone."""
