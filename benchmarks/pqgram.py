"""Alpha with pq-gram distance and with tree edit distance: values on several corpora, and their correlation.

    ARBITREE_DATA=corpora python -m benchmarks.pqgram

The corpora are those of syn-agreement. `python -m benchmarks agree` compares the time.
"""

from scipy.stats import pearsonr, spearmanr

from arbitree.api.evaluate import evaluate
from arbitree.reading.assembly import read_study
from benchmarks.costs import data

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
    """Print both values for every corpus, and their correlations."""
    folder = data("syn-agreement")
    if not folder:
        raise SystemExit("set ARBITREE_DATA to a directory that contains syn-agreement")
    print(f"{'':14}{MEASURES[0]:>14}{MEASURES[1]:>14}")
    rows = []
    for corpus, files in CORPORA.items():
        study = read_study([str(folder / each) for each in files], dirs=(folder / files[0]).is_dir())
        rows.append([evaluate(study, name, resamples=0).value for name in MEASURES])
        print(f"{corpus:14}{rows[-1][0]:14.6f}{rows[-1][1]:14.6f}")
    ours, theirs = zip(*rows, strict=True)
    print(f"Pearson {pearsonr(ours, theirs)[0]:.3f}, Spearman {spearmanr(ours, theirs)[0]:.3f}")


if __name__ == "__main__":
    main()
