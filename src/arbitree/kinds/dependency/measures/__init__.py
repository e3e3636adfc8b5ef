"""Measures for dependency trees."""
