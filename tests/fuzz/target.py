"""What a target is: a part of the program that reads what others wrote, and inputs to start from."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz import mutators

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
SEEDS = Path(__file__).with_name("seeds")
Run = Callable[[bytes], None]


@dataclass(frozen=True)
class Target:
    """A part of the program, the inputs to start from, and how to change them."""

    name: str
    prepare: Callable[[Path], Run]  # in a directory of its own
    seeds: Callable[[], list[bytes]]
    mutate: mutators.Mutator = mutators.text
    share: int = 1  # of the time
    guided: bool = True  # whether feedback by coverage helps


def seeds_of(*names: str, examples: tuple[str, ...] = ()) -> Callable[[], list[bytes]]:
    """Return a function that reads the seeds in these directories, and examples."""

    def read() -> list[bytes]:
        own = [path for name in names for path in sorted((SEEDS / name).iterdir())]
        return [path.read_bytes() for path in [*own, *(EXAMPLES / name for name in examples)]]

    return read


def words_in(seeds: list[bytes]) -> list[bytes]:
    """Return the words that occur in the seeds."""
    found = {word: None for seed in seeds for word in mutators.CELLS.findall(seed) if len(word) < 40}
    return list(found)[:2000]
