"""Addresses of the web app: one file for each group of pages, each with a ``router``."""
