"""Measures that fit phrase-structure trees alone."""
