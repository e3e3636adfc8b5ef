"""Measures for labels and sets of tags."""
