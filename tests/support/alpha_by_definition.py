"""Alpha, computed by its definition."""

from itertools import combinations


def alpha_by_definition(study, distance, multiplicity=None):
    """Krippendorff's formula over explicit copies; copies of one item are not paired with each other."""
    copies = []  # (item number, copy number, values)
    for number, (_, cells) in enumerate(study):
        values = [cell.value for cell in cells]
        times = 1 if multiplicity is None else multiplicity[number]
        if len(values) > 1:
            copies += [(number, copy, values) for copy in range(times)]
    n = sum(len(values) for *_, values in copies)
    observed = sum(
        2 * sum(distance(a, b) ** 2 for a, b in combinations(values, 2)) / (len(values) - 1)
        for *_, values in copies
    )
    expected = pairs = 0.0
    for here, (number, _, values) in enumerate(copies):
        for there, (other, _, others) in enumerate(copies):
            if number == other and here != there:
                continue
            inside = here == there
            expected += sum(distance(a, b) ** 2 for a in values for b in others)
            pairs += len(values) * (len(others) - inside)
    return 1 - (observed / n) / (expected / pairs) if pairs and expected else None
