"""Semantic representations: MRS and EDS."""
