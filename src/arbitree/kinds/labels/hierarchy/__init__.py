"""Hierarchies of tags."""
