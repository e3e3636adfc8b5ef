"""Measures for phrase-structure trees."""
