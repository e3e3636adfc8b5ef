"""Arbitree measures, explains and resolves disagreement between people who annotate language."""

__version__ = "0.1.0"
