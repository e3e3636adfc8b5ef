"""Inconsistencies between graphs."""
