"""Inconsistencies in dependency trees."""
