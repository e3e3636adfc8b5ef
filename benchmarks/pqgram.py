"""Alpha with pq-gram distance beside alpha with tree edit distance: time, and how far they agree.

    ARBITREE_DATA=corpora python benchmarks/pqgram.py

Times are CPU seconds on one thread for pcedt-sized/*.conllu, or for a made corpus without ARBITREE_DATA.
The values are those of the corpora in syn-agreement, with their correlations across the corpora.
"""

import os
import tempfile
import time
from pathlib import Path

from agree import made_corpus
from scipy.stats import pearsonr, spearmanr

from arbitree.api.evaluate import evaluate
from arbitree.backends.serial import Serial
from arbitree.reading.assembly import read_study

MEASURES = ("alpha_pqgram", "alpha_plain")
CORPORA = {
    "NDT 1": ["ndt/odin-danish.conll", "ndt/thor-danish.conll"],
    "NDT 2": ["ndt/odin-swedish.conll", "ndt/thor-swedish.conll"],
    "caterpillar": ["ndt/odin-caterpillar.conll", "ndt/thor-caterpillar.conll"],
    "CDT da": ["cdt/da-lotte.conll", "cdt/da-morten.conll"],
    "CDT en": ["cdt/en-lotte.conll", "cdt/en-morten.conll"],
    "CDT es": ["cdt/es/henrik", "cdt/es/jonas", "cdt/es/lotte", "cdt/es/soren"],
}


def main():
    data = Path(os.environ.get("ARBITREE_DATA", "/nowhere"))
    paths = sorted(map(str, data.glob("pcedt-sized/a*.conllu")))
    with tempfile.TemporaryDirectory() as folder:
        study = read_study(paths or made_corpus(folder, 600))
    print(f"{len(study.items)} sentences, {len(study.cells)} trees\n")
    print(f"{'':14}{'value':>10}{'CPU s':>10}{'with 1,000 resamples':>24}")
    for name in MEASURES:
        value, bare = timed(study, name, 0)
        _, whole = timed(study, name, 1000)
        print(f"{name:14}{value:10.6f}{bare:10.2f}{whole:24.2f}")
    if (data / "syn-agreement").is_dir():
        compare(data / "syn-agreement")


def timed(study, name, resamples):
    """Return the value of a measure and the CPU seconds that it took."""
    begin = time.process_time()
    result = evaluate(study, name, resamples=resamples, run=Serial())
    return result.value, time.process_time() - begin


def compare(folder):
    """Print both values for every corpus, and their correlations."""
    print(f"\n{'':14}{MEASURES[0]:>14}{MEASURES[1]:>14}")
    rows = []
    for corpus, files in CORPORA.items():
        study = read_study([str(folder / each) for each in files], dirs=(folder / files[0]).is_dir())
        rows.append([evaluate(study, name, resamples=0).value for name in MEASURES])
        print(f"{corpus:14}{rows[-1][0]:14.6f}{rows[-1][1]:14.6f}")
    ours, theirs = zip(*rows, strict=True)
    print(f"Pearson {pearsonr(ours, theirs)[0]:.3f}, Spearman {spearmanr(ours, theirs)[0]:.3f}")


if __name__ == "__main__":
    main()
