"""Semantic graphs: MRS and EDS."""
