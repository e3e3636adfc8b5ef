"""Measures that fit dependency trees alone."""
