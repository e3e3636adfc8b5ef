"""Measures that fit treebanking decisions alone."""
