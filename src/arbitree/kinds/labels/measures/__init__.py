"""Measures that fit labels alone."""
