"""Measures for semantic graphs."""
