"""Distances between two annotations of one kind."""
