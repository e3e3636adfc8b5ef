"""Sums of distances between annotations, which alpha is computed from."""
