"""The WordNet of the system."""

from pathlib import Path

from tests.support.system import missing

SYSTEM = Path("/usr/share/wordnet")
NO_WORDNET = missing("wordnet-base")
