"""Sentences as rows of CoNLL-U."""


def sentence(words, heads=None, name=None, document=None):
    tokens = words.split()
    heads = heads or range(len(tokens))
    rows = [
        f"{k}\t{w}\t_\tX\t_\t_\t{h}\tdep\t_\t_" for k, (w, h) in enumerate(zip(tokens, heads, strict=True), 1)
    ]
    comments = [f"# newdoc id = {document}"] if document else []
    comments += [f"# sent_id = {name}"] if name else []
    return "\n".join([*comments, *rows, "", ""])
