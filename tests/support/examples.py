"""The example studies, one of each kind."""

EXAMPLES = [
    [f"examples/dependency/{coder}.conllu" for coder in ("ann", "bob", "cho")],
    [f"examples/phrase/{coder}.mrg" for coder in ("ann", "bob", "cho")],
    ["examples/labels/stance.tsv"],
    ["examples/labels/topics.tsv"],
    ["examples/senses/diary.tsv"],
    [f"examples/graphs/{coder}.amr" for coder in ("ann", "bob", "cho")],
    [f"examples/profiles/{coder}" for coder in ("ann", "bob")],
]
