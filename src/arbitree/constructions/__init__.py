"""Inconsistencies: constructions that are annotated differently, located and grouped by type."""
