"""Dependency trees."""
