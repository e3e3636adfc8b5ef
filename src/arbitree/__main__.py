"""``python -m arbitree``."""

from arbitree.cli import main

main()
