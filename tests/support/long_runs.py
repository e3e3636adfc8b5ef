"""Inputs that take a while."""


def rows(tree):
    columns = zip(tree.tokens, tree.heads, tree.relations, strict=True)
    lines = [f"{k}\t{w}\t_\tX\t_\t_\t{head}\t{label}\t_\t_" for k, (w, head, label) in enumerate(columns, 1)]
    return "\n".join([*lines, "", ""])
