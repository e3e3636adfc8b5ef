"""The programs that make the pages need packages that tests do without."""

collect_ignore = ["docstrings.py", "notebooks/pages.py", "pictures/make.py"]
