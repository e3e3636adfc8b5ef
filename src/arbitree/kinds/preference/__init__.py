"""Preferences of judges between two parses."""
