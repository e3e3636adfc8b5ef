"""Run inputs of one target in a process of its own: guided by coverage, or changed seeds."""

import argparse
import os
import random
import sys
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path

KEPT = 400  # inputs with a new outcome that are kept for further changes
LONGEST = 16_384  # bytes of an input that is guided by coverage
BLOWN_UP = 1 / 400  # of the inputs that are not guided


def main() -> None:
    """Run the inputs of a target."""
    parser = argparse.ArgumentParser()
    parser.add_argument("module", help="the only module of targets that is imported")
    parser.add_argument("target")
    parser.add_argument("--folder", type=Path, required=True, help="for the files of this run")
    parser.add_argument("--kept", type=Path, help="for failing inputs")
    parser.add_argument("--corpus", type=Path, help="inputs of earlier runs that are worth changing")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--guided", action="store_true")
    given = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ["ARBITREE_GUARD"] = "off"  # every unforeseen exception is a failure
    if given.guided:
        import atheris

        with atheris.instrument_imports(include=["arbitree"]):
            _guided(given)
    else:
        _unguided(given)


def _prepared(given: argparse.Namespace):
    """Return the target, its judge, its seeds and its words."""
    from tests.fuzz.judge import Judge
    from tests.fuzz.target import words_in

    targets = import_module(given.module).TARGETS
    target = next(each for each in targets if each.name == given.target)
    seeds = target.seeds()
    files = given.folder / "files"
    files.mkdir(parents=True)
    run = target.prepare(files)
    for seed in seeds:  # which imports what is imported when it is needed
        with suppress(Exception):
            run(seed)
    judge = Judge(run, given.folder, kept=given.kept)
    return target, judge, seeds, words_in(seeds)


def _unguided(given: argparse.Namespace) -> None:
    from tests.fuzz import mutators

    target, judge, seeds, words = _prepared(given)
    rng = random.Random(given.seed)
    corpus = [*seeds, *_known(given.corpus, rng)]
    judge.limited()
    end = time.monotonic() + given.seconds
    known: set[str] = set()
    while time.monotonic() < end:
        data = rng.choice(corpus if rng.random() < 0.6 else seeds)
        if rng.random() < BLOWN_UP and target.mutate is mutators.text:
            judge.judge(mutators.blown_up(data, rng))
            continue
        others = [rng.choice(corpus)] if rng.random() < 0.05 else words
        data = target.mutate(data, rng, others)
        outcome = judge.judge(data)
        if outcome not in known:
            known.add(outcome)
            if len(corpus) < KEPT + len(seeds) and len(data) < LONGEST:
                corpus.append(data)
    judge.say(time.monotonic())


def _guided(given: argparse.Namespace) -> None:
    import atheris

    target, judge, seeds, words = _prepared(given)
    started = given.folder / "seeds"
    started.mkdir()
    for number, seed in enumerate(seeds):
        (started / str(number)).write_bytes(seed)
    mutating = False

    def change(data: bytes, size: int, seed: int) -> bytes:
        nonlocal mutating
        if not mutating:
            mutating = True
            judge.begin = time.monotonic()
        rng = random.Random(seed)
        if rng.random() < 0.3:
            return atheris.Mutate(data, size)
        return target.mutate(data, rng, words)[:size]

    def one(data: bytes) -> None:
        if mutating:
            judge.judge(data)
        else:  # an input of an earlier run
            with suppress(Exception):
                judge.run(data)

    flags = {"max_total_time": max(1, int(given.seconds)), "seed": given.seed % 2**31 + 1, "verbosity": 0}
    flags |= {"max_len": max(LONGEST, *map(len, seeds)), "len_control": 0}
    flags |= dict.fromkeys(("rss_limit_mb", "malloc_limit_mb", "handle_int", "handle_term"), 0)
    flags |= {"timeout": 3600, "artifact_prefix": f"{given.folder}/"}  # the judge has limits of its own
    folders = [str(each) for each in (given.corpus, started) if each]
    judge.limited()
    atheris.Setup(
        [sys.argv[0], *(f"-{name}={value}" for name, value in flags.items()), *folders],
        one,
        custom_mutator=change,
    )
    atheris.Fuzz()


def _known(folder: Path | None, rng: random.Random) -> list[bytes]:
    """Return some inputs of earlier runs."""
    paths = sorted(folder.iterdir()) if folder and folder.is_dir() else []
    return [path.read_bytes() for path in rng.sample(paths, min(KEPT, len(paths)))]


if __name__ == "__main__":
    main()
