"""Decisions and profiles for tests, written down by hand."""

from pathlib import Path

from arbitree.kinds.treebanking.value import ACCEPTED, DEPENDENCY, Decisions, Option

RELATIONS = """\
item:
  i-id :integer :key
  i-input :string
  i-length :integer

parse:
  parse-id :integer :key                # comments are passed over
  run-id :integer :key
  i-id :integer :key
  readings :integer

result:
  parse-id :integer :key
  result-id :integer
  derivation :string
  mrs :string

tree:
  parse-id :integer :key
  t-version :integer
  t-active :integer :key
  t-author :string

decision:
  parse-id :integer :key
  t-version :integer
  d-state :integer
  d-type :integer
  d-key :string
  d-value :string
  d-start :integer
  d-end :integer
  d-date :date

preference:
  parse-id :integer :key
  t-version :integer
  result-id :integer
"""

# "Birds sing." with the full stop as part of a word, and as a token of its own.
ATTACHED = (
    '(root (0 sb-hd 0 0 2 (0 n_pl 0 0 1 (0 bird_n1 0 0 1 ("birds" 1 "token [ +FROM \\"0\\" +TO \\"5\\" ]"))) '
    '(0 w_period 0 1 2 (0 sing_v1 0 1 2 ("sing." 2 "token [ +FROM \\"6\\" +TO \\"11\\" ]")))))'
)
SPLIT = (
    '(root (0 sb-hd 0 0 3 (0 n_pl 0 0 1 (0 bird_n1 0 0 1 ("birds" 1 "token [ +FROM \\"0\\" +TO \\"5\\" ]"))) '
    '(0 hd-pct 0 1 3 (0 sing_v1 0 1 2 ("sing" 2 "token [ +FROM \\"6\\" +TO \\"10\\" ]")) '
    '(0 period_pct 0 2 3 ("." 3 "token [ +FROM \\"10\\" +TO \\"11\\" ]")))))'
)


def options(*rows):
    """Options from pairs of a state and a key of a semantic dependency."""
    return tuple(Option(state, DEPENDENCY, key, 0, 0) for state, key in rows)


def decisions(*rows, status=ACCEPTED, **more):
    """An annotation from such pairs."""
    return Decisions("birds sing", status, options=options(*rows), **({"readings": 4, "chosen": (0,)} | more))


def write_profile(folder, *, packed=False, encoding="utf-8", relations=RELATIONS, **tables):
    """Write a profile: every table a list of lines, or None for a file that is missing."""
    import gzip

    folder = Path(folder)
    folder.mkdir(parents=True)
    (folder / "relations").write_text(relations, encoding="utf-8")
    for name in ("item", "parse", "result", "tree", "decision", "preference"):
        lines = tables.get(name, [])
        if lines is None:
            continue
        data = "".join(f"{line}\n" for line in lines).encode(encoding)
        if packed and lines:
            (folder / f"{name}.gz").write_bytes(gzip.compress(data))
        else:
            (folder / name).write_bytes(data)
    return str(folder)


def small(folder, *, name="ann", **changes):
    """A profile of four sentences: accepted, rejected, single reading, never opened."""
    tables = {
        "item": ["1@birds sing@2", "2@dogs bark@2", "3@it rains@2", "4@wind howls@2"],
        "parse": ["11@1@1@3", "12@1@2@2", "13@1@3@1", "14@1@4@5"],
        "tree": [f"11@1@1@{name}", f"12@1@0@{name}", f"13@1@1@{name}", f"14@0@-1@{name}"],
        "decision": [
            "11@1@1@6@_sing_v_1 ARG1 _bird_n_1@@0@0@9-jun-2009 12:54",
            "11@1@4@6@_sing_v_1 ARG1 pron@@0@0@9-jun-2009 12:54",
            "11@1@2@3@SUBJ-HEAD@birds || sing@0@2@9-jun-2009 12:54",
            "12@1@-1@5@@@0@2@9-jun-2009 12:55",
            "12@1@2@6@_bark_v_1 ARG1 _dog_n_1@@0@0@9-jun-2009 12:55",
        ],
        "preference": ["11@1@2", "13@1@0"],
    } | changes
    return write_profile(Path(folder) / name, **tables)


def forest(folder, name, sentences, *, tokens=None, grammar=None):
    """A profile as the full-forest treebanker writes it: one parse, called 0; decisions without a version.

    Args:
        folder: where to write it.
        name: of the annotator.
        sentences: triples of a text, a derivation ("" for a rejected sentence) and its decisions, each a
            state, a type, a key and a span.
        tokens: what the parser had for each sentence, in the column p-tokens.
        grammar: that made the parses, in the table run.
    """
    relations = RELATIONS
    if tokens is not None:
        relations = relations.replace("  readings :integer\n", "  p-tokens :string\n  readings :integer\n")
    if grammar is not None:
        relations += "\nrun:\n  run-id :integer :key\n  grammar :string\n"
    tables = {table: [] for table in ("item", "parse", "result", "tree", "decision", "preference")}
    for number, (text, derivation, rows) in enumerate(sentences, start=1):
        between = f"{tokens[number - 1]}@" if tokens is not None else ""
        tables["item"].append(f"{number}@{text}@{len(text.split())}")
        tables["parse"].append(f"{number}@1@{number}@{between}1")
        tables["tree"].append(f"{number}@1@{int(bool(derivation))}@{name}")
        if derivation:
            escaped = derivation.replace("\\", "\\\\")
            tables["result"].append(f"{number}@0@{escaped}@")
            tables["preference"].append(f"{number}@1@0")
        for state, kind, key, start, end in rows:
            escaped = key.replace("@", "\\s")
            tables["decision"].append(f"{number}@-1@{state}@{kind}@{escaped}@@{start}@{end}@")
    path = write_profile(Path(folder) / name, relations=relations, **tables)
    if grammar is not None:
        (Path(path) / "run").write_text(f"1@{grammar}\n", encoding="utf-8")
    return path
