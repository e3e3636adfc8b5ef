"""Nuclei, types and findings that no method has found, to test what is done with them."""

from arbitree.constructions.findings import (
    Change,
    Findings,
    Nucleus,
    Occurrence,
    Type,
    by_bits,
    code_of,
    summary_of,
)
from arbitree.constructions.questions import with_questions
from arbitree.drawing.fragment import Fragment, Node
from arbitree.kinds.phrase.constructions.question_wording import WORDING


def nucleus(words, asked, changes, *, item="s", swap=False, bits=1.0, coders=("ann", "bob")):
    """A nucleus of one sentence; with *swap*, the second annotator has the first fragment."""
    tokens = tuple(words.split())
    order = (1, 0) if swap else (0, 1)
    places = tuple(
        Occurrence(item, tuple(range(len(tokens))), coder, number)
        for coder, number in zip(coders, order, strict=True)
    )
    return Nucleus(tokens, places, (1, 1), changes=tuple(changes), asked=tuple(asked), bits=bits)


def pos(words, one, other, **rest):
    asked = [("pos", tuple(sorted((one, other))))]
    return nucleus(words, asked, [Change("pos", (0,), (one, other))], **rest)


def type_of(texts, nuclei, label="label"):
    fragments = tuple(Fragment(text, text, (Node(text, -1, 0),)) for text in texts)
    places = [(place.coder, place.fragment) for each in nuclei for place in each.places]
    sides = {coder: tuple(places.count((coder, side)) for side in range(len(texts))) for coder, _ in places}
    return Type(code_of("internal", texts), "pos", label, fragments, tuple(nuclei), sides=sides)


def findings(*types, coders=("ann", "bob"), mode="coders"):
    """Findings with their questions, most bits first."""
    ranked, questions = with_questions(by_bits(types), coders, WORDING)
    tables = {"summary": summary_of(ranked, 100, ["pos"])}
    return Findings(mode, "phrase", coders, 10, 100, ranked, tables=tables, questions=questions)
