"""Inconsistencies: which constructions are annotated differently, pinpointed and grouped."""
