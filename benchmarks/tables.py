"""Files that are read: tables of labels, compared with pandas, and projects of INCEpTION, with dkpro-cassis.

Files are generated. Arbitree reads a table into a study, and pandas into a frame. pandas returns columns of
text, stored by itself or by pyarrow; Arbitree returns items, annotators, labels and line numbers. A project
consists of one zip file per document and annotator, with XMI and a type system. dkpro-cassis loads each of
them separately.
"""

import re
import tempfile
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

from tests.support.uima import DEPENDENCY, POS, SENTENCE, TOKEN, Doc, packed, project

from benchmarks import labels
from benchmarks.costs import alone
from benchmarks.rows import Growth, Row

USERS, SENTENCES = ("ann", "bob", "cho"), 100
STORAGES = {"pandas": "python"} | ({"pandas with pyarrow": "pyarrow"} if find_spec("pyarrow") else {})


def measure(quick):
    """Yield the rows: large and small tables, and one with many annotators."""
    sizes = [(30_000, 10)] if quick else [(100_000, 10), (500_000, 2), (20_000, 50)]
    with tempfile.TemporaryDirectory() as folder:
        for items, coders in sizes:
            path = write(folder, items, coders)
            name = f"read {items * coders:,} rows: {items:,} items x {coders}"
            yield Row(name, alone(arbitree_reads, path), pandas(path))
        items, coders = sizes[0]
        path = write_matrix(folder, items, coders)
        name = f"read a matrix of {items:,} items x {coders}"
        yield Row(name, alone(arbitree_reads, path), pandas(path))
        yield from inception(folder, 2 if quick else 20)
        if not quick:
            jobs = {
                10 * n: alone(arbitree_reads, write(folder, n, 10))
                for n in (25_000, 50_000, 100_000, 200_000)
            }
            yield Growth("read a table", "rows", jobs)


def write(folder, items, coders):
    """Write a table with the labels of all coders for each item, and return its path."""
    return labels.write(folder, labels.made(items, coders))


def write_matrix(folder, items, coders):
    """Write a table with one row per item and one column per annotator, and return its path."""
    path = Path(folder, f"matrix{items}x{coders}.tsv")
    rows = (
        "\t".join([f"s{n}", *(f"L{code}" for code in row)])
        for n, row in enumerate(labels.made(items, coders))
    )
    path.write_text("\n".join(["\t".join(["item", *(f"ann{n}" for n in range(coders))]), *rows]) + "\n")
    return path


def arbitree_reads(path):
    """Return the work of Arbitree, after imports."""
    import arbitree as at

    if path.suffix == ".zip":
        at.read(path, layer="Dependency")
        return lambda: at.read(path, layer="Dependency")
    at.read(write(path.parent, 10, 2))
    return lambda: at.read(path)


def pandas(path):
    """Return pandas as a peer, with each way to store texts."""
    return {name: alone(pandas_reads, path, storage) for name, storage in STORAGES.items()}


def pandas_reads(path, storage):
    """Return the work of pandas, after imports."""
    import pandas as pd

    pd.set_option("mode.string_storage", storage)
    pd.read_csv(write(path.parent, 10, 2), sep="\t")
    return lambda: pd.read_csv(path, sep="\t")


def inception(folder, documents):
    """Yield the row of a project of three annotators if dkpro-cassis, which also writes it, is installed."""
    if not find_spec("cassis"):
        return
    document, types = cassis_files()
    docs = {(f"d{number}.txt", user): Doc() for number in range(documents) for user in USERS}
    files = project(docs, format="zip")
    exports = [name for name in files if name.endswith(".zip")]
    for name, (_, user) in zip(exports, docs, strict=True):
        files[name] = packed({f"{user}.xmi": document, "TypeSystem.xml": types})
    path = Path(folder, "project.zip")
    path.write_bytes(packed(files))
    name = f"read a project of INCEpTION: {documents} documents x 3, {SENTENCES} sentences each"
    yield Row(name, alone(arbitree_reads, path), {"dkpro-cassis": alone(cassis_reads, path)})


def cassis_files():
    """Return a document of tokens, parts of speech and dependencies as XMI, and its type system."""
    from cassis import Cas, load_dkpro_core_typesystem

    types = load_dkpro_core_typesystem()
    cas, sentence = Cas(typesystem=types), "rain fell on the old harbour"
    cas.sofa_string, cas.sofa_mime = "\n".join([sentence] * SENTENCES), "text/plain"
    make = {name: types.get_type(name) for name in (TOKEN, SENTENCE, POS, DEPENDENCY)}
    for number in range(SENTENCES):
        begin = number * (len(sentence) + 1)
        cas.add(make[SENTENCE](begin=begin, end=begin + len(sentence)))
        tokens = []
        for found in re.finditer(r"\w+", sentence):
            place = {"begin": begin + found.start(), "end": begin + found.end()}
            tokens.append(make[TOKEN](**place))
            cas.add(tokens[-1])
            cas.add(make[POS](**place, PosValue="NN"))
        for token in tokens:
            place = {"begin": token.begin, "end": token.end}
            cas.add(make[DEPENDENCY](**place, Governor=tokens[1], Dependent=token, DependencyType="dep"))
    return cas.to_xmi(), types.to_xml()


def cassis_reads(path):
    """Return the work of dkpro-cassis on all files of a project."""
    from cassis import load_cas_from_xmi, load_typesystem

    def work():
        with ZipFile(path) as outer:
            for name in outer.namelist():
                if name.endswith(".zip"):
                    with ZipFile(BytesIO(outer.read(name))) as inner:
                        (xmi,) = (each for each in inner.namelist() if each.endswith(".xmi"))
                        types = load_typesystem(BytesIO(inner.read("TypeSystem.xml")))
                        load_cas_from_xmi(BytesIO(inner.read(xmi)), typesystem=types, lenient=True)

    return work
