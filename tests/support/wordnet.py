"""The WordNet of the system."""

from pathlib import Path

SYSTEM = Path("/usr/share/wordnet")


NO_WORDNET = "needs the package wordnet-base (apt-get install wordnet-base)"
