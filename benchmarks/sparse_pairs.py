"""How far a mean of κ or π over pairs of annotators is off if each pair shares few items.

Every pair labels *n* items of its own. Both annotators know the label with probability p and otherwise guess
from the frequencies of the labels. The table shows the mean of κ and of π over 1,000 pairs, less the value of
one pair that shares 100,000 items. `arbitree agree` warns about pairs that share fewer than 20 items.

    python -m benchmarks.sparse_pairs
"""

import numpy as np

import arbitree as at
from arbitree.api.evaluate import evaluate_all

PAIRS = 1000
SHARED = (2, 5, 10, 20, 50, 100)
LABELS = {"2 equal": (0.5, 0.5), "2, 80%": (0.8, 0.2), "2, 90%": (0.9, 0.1), "4": (0.4, 0.3, 0.2, 0.1)}


def answers(random, shape, shares, known):
    """The labels of two annotators: (2, *shape)."""
    truth = random.choice(len(shares), size=shape, p=shares)
    guesses = random.choice(len(shares), size=(2, *shape), p=shares)
    return np.where(random.random((2, *shape)) < known, truth, guesses)


def mean_over_pairs(random, pairs, items, shares, known):
    """κ and π as `agree` computes them."""
    table = np.full((pairs * items, 2 * pairs), np.nan)
    rows = np.arange(pairs * items)
    for side, labels in enumerate(answers(random, (pairs, items), shares, known)):
        table[rows, 2 * np.repeat(np.arange(pairs), items) + side] = labels.ravel()
    return np.array(
        [found.value for found in evaluate_all(at.from_table(table), ["kappa", "pi"], resamples=0)]
    )


def main():
    """Print the table."""
    random = np.random.default_rng(0)
    print("labels    p     κ     ", "  ".join(f"{'n = ' + str(n):>13}" for n in SHARED))
    for name, shares in LABELS.items():
        for known in (0.5, 0.75, 0.9):
            whole = mean_over_pairs(random, 1, 100_000, shares, known)
            bias = []
            for items in SHARED:
                pairs = PAIRS // 10  # tables of all pairs at once would be large
                means = [mean_over_pairs(random, pairs, items, shares, known) for _ in range(10)]
                bias.append(np.mean(means, axis=0) - whole)
            print(f"{name:8} {known:.2f}  {whole[0]:.3f} ", "  ".join(f"{k:+.3f} {p:+.3f}" for k, p in bias))


if __name__ == "__main__":
    main()
