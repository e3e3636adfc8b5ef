"""Where the measures come from, as BibTeX."""

from __future__ import annotations

from collections.abc import Sequence

from arbitree.data.result import Result

BIBTEX = {
    "melamed-resnik2000": """\
@article{melamed-resnik2000,
  author  = {Melamed, I. Dan and Resnik, Philip},
  title   = {Tagger evaluation given hierarchical tag sets},
  journal = {Computers and the Humanities},
  volume  = {34},
  number  = {1--2},
  pages   = {79--84},
  year    = {2000},
}""",
    "resnik-yarowsky1997": """\
@inproceedings{resnik-yarowsky1997,
  author    = {Resnik, Philip and Yarowsky, David},
  title     = {A perspective on word sense disambiguation methods and their evaluation},
  booktitle = {Tagging Text with Lexical Semantics: Why, What, and How?},
  year      = {1997},
  pages     = {79--86},
}""",
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
    "artstein-poesio2008": """\
@article{artstein-poesio2008,
  author  = {Artstein, Ron and Poesio, Massimo},
  title   = {Inter-coder agreement for computational linguistics},
  journal = {Computational Linguistics},
  volume  = {34},
  number  = {4},
  pages   = {555--596},
  year    = {2008},
}""",
    "bennett1954": """\
@article{bennett1954,
  author  = {Bennett, E. M. and Alpert, R. and Goldstein, A. C.},
  title   = {Communications through limited-response questioning},
  journal = {Public Opinion Quarterly},
  volume  = {18},
  number  = {3},
  pages   = {303--308},
  year    = {1954},
}""",
    "bhat-sharma2012": """\
@inproceedings{bhat-sharma2012,
  author    = {Bhat, Riyaz Ahmad and Sharma, Dipti Misra},
  title     = {A dependency treebank of {U}rdu and its evaluation},
  booktitle = {Proceedings of the Sixth Linguistic Annotation Workshop},
  pages     = {157--165},
  year      = {2012},
}""",
    "cohen1960": """\
@article{cohen1960,
  author  = {Cohen, Jacob},
  title   = {A coefficient of agreement for nominal scales},
  journal = {Educational and Psychological Measurement},
  volume  = {20},
  number  = {1},
  pages   = {37--46},
  year    = {1960},
}""",
    "cohen1968": """\
@article{cohen1968,
  author  = {Cohen, Jacob},
  title   = {Weighted kappa: nominal scale agreement with provision for scaled disagreement
             or partial credit},
  journal = {Psychological Bulletin},
  volume  = {70},
  number  = {4},
  pages   = {213--220},
  year    = {1968},
}""",
    "conger1980": """\
@article{conger1980,
  author  = {Conger, Anthony J.},
  title   = {Integration and generalization of kappas for multiple raters},
  journal = {Psychological Bulletin},
  volume  = {88},
  number  = {2},
  pages   = {322--328},
  year    = {1980},
}""",
    "davies-fleiss1982": """\
@article{davies-fleiss1982,
  author  = {Davies, Mark and Fleiss, Joseph L.},
  title   = {Measuring agreement for multinomial data},
  journal = {Biometrics},
  volume  = {38},
  number  = {4},
  pages   = {1047--1051},
  year    = {1982},
}""",
    "fleiss1971": """\
@article{fleiss1971,
  author  = {Fleiss, Joseph L.},
  title   = {Measuring nominal scale agreement among many raters},
  journal = {Psychological Bulletin},
  volume  = {76},
  number  = {5},
  pages   = {378--382},
  year    = {1971},
}""",
    "gwet2008": """\
@article{gwet2008,
  author  = {Gwet, Kilem Li},
  title   = {Computing inter-rater reliability and its variance in the presence of high agreement},
  journal = {British Journal of Mathematical and Statistical Psychology},
  volume  = {61},
  number  = {1},
  pages   = {29--48},
  year    = {2008},
}""",
    "gwet2014": """\
@book{gwet2014,
  author    = {Gwet, Kilem Li},
  title     = {Handbook of Inter-Rater Reliability},
  edition   = {4},
  publisher = {Advanced Analytics},
  year      = {2014},
}""",
    "passonneau2006": """\
@inproceedings{passonneau2006,
  author    = {Passonneau, Rebecca J.},
  title     = {Measuring agreement on set-valued items ({MASI}) for semantic and pragmatic annotation},
  booktitle = {Proceedings of the Fifth International Conference on Language Resources and Evaluation},
  pages     = {831--836},
  year      = {2006},
}""",
    "scott1955": """\
@article{scott1955,
  author  = {Scott, William A.},
  title   = {Reliability of content analysis: the case of nominal scale coding},
  journal = {Public Opinion Quarterly},
  volume  = {19},
  number  = {3},
  pages   = {321--325},
  year    = {1955},
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
