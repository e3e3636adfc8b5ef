"""Random hierarchies of tags."""

import random

from hypothesis import strategies as st

from arbitree.kinds.labels.hierarchy.hierarchy import Hierarchy


@st.composite
def hierarchies(draw, max_nodes=12, max_parents=3):
    """Random hierarchies without cycles: parents have smaller numbers; some tags are roots."""
    size = draw(st.integers(1, max_nodes))
    rng = random.Random(draw(st.integers(0, 2**32)))
    tags = [f"t{k}" for k in range(size)]
    links = {
        (tags[parent], tags[node]): None
        for node in range(1, size)
        for parent in rng.sample(range(node), min(node, rng.randint(0, max_parents)))
    }
    return Hierarchy.of_links(links, tags)
