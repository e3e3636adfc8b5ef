"""Where the measures come from, as BibTeX."""

from __future__ import annotations

from collections.abc import Sequence

from arbitree.data.result import Result

BIBTEX = {
    "skjaerholt2014": """\
@inproceedings{skjaerholt2014,
  author    = {Skj{\\ae}rholt, Arne},
  title     = {A chance-corrected measure of inter-annotator agreement for syntax},
  booktitle = {Proceedings of the 52nd Annual Meeting of the Association for Computational Linguistics},
  year      = {2014},
  pages     = {934--944},
}""",
    "zhang-shasha1989": """\
@article{zhang-shasha1989,
  author  = {Zhang, Kaizhong and Shasha, Dennis},
  title   = {Simple fast algorithms for the editing distance between trees and related problems},
  journal = {SIAM Journal on Computing},
  volume  = {18},
  number  = {6},
  pages   = {1245--1262},
  year    = {1989},
}""",
    "augsten2005": """\
@inproceedings{augsten2005,
  author    = {Augsten, Nikolaus and B{\\"o}hlen, Michael and Gamper, Johann},
  title     = {Approximate matching of hierarchical data using pq-grams},
  booktitle = {Proceedings of the 31st International Conference on Very Large Data Bases},
  year      = {2005},
  pages     = {301--312},
}""",
    "krippendorff2004": """\
@book{krippendorff2004,
  author    = {Krippendorff, Klaus},
  title     = {Content Analysis: An Introduction to Its Methodology},
  edition   = {2},
  publisher = {Sage},
  year      = {2004},
}""",
}


def bibtex(results: Sequence[Result]) -> list[str]:
    """Return the entries that the measures of *results* rest on, each once.

    A plug-in's reference that is not in the list above is taken for a BibTeX entry itself.
    """
    keys: dict[str, None] = {}
    for result in results:
        keys |= dict.fromkeys(result.references)
    return [BIBTEX.get(key, key) for key in keys]
