"""Graphs: AMR, UMR, MRS and EDS."""
