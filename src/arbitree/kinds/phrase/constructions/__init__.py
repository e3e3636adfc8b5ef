"""Inconsistencies in phrase-structure trees."""
