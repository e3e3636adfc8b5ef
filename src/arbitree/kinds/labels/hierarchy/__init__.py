"""Hierarchies of labels."""
