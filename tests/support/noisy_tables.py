"""Tables of labels for tests, and the models' likelihoods written out as the papers print them."""

import numpy as np
from hypothesis import strategies as st


@st.composite
def tables(draw, max_items=8, max_coders=4, max_labels=3):
    """Codes (items, coders) with gaps, and the number of labels."""
    items, coders = draw(st.integers(1, max_items)), draw(st.integers(1, max_coders))
    size = draw(st.integers(2, max_labels))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    codes = random.integers(0, size, (items, coders))
    codes[random.random(codes.shape) < draw(st.sampled_from([0.0, 0.3, 0.8]))] = -1
    return codes, size


def noisy(items, accuracies, size, seed, missing=0.0):
    """Codes of coders who are right as often as *accuracies* say, and the truth."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, size, items)
    columns = []
    for accuracy in accuracies:
        wrong = (truth + random.integers(1, size, items)) % size
        columns.append(np.where(random.random(items) < accuracy, truth, wrong))
    codes = np.stack(columns, axis=1)
    codes[random.random(codes.shape) < missing] = -1
    return codes, truth


def written_out(codes, prior, chance):
    """Log-likelihood and posteriors by loops; *chance* gives P(answer | coder, truth)."""
    total, table = 0.0, []
    for row in codes:
        joint = list(prior)
        for coder, answer in enumerate(row):
            if answer >= 0:
                joint = [p * chance(coder, truth, answer) for truth, p in enumerate(joint)]
        total += np.log(sum(joint)) if (row >= 0).any() else 0.0
        table.append([p / sum(joint) for p in joint] if (row >= 0).any() else [np.nan] * len(joint))
    return total, np.array(table)
