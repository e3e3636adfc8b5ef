"""Without an optional package, the core works and everything else names the extra to install."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import arbitree as at
from arbitree import extras
from arbitree.errors import MissingExtra
from tests.support.commands import arbitree

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
DEPENDENCY = sorted((EXAMPLES / "dependency").glob("*.conllu"))
PHRASE = sorted((EXAMPLES / "phrase").glob("*.mrg"))
PROFILES = sorted((EXAMPLES / "profiles").iterdir())
PREFER = [EXAMPLES / "prefer" / f"{name}.conllu" for name in ("gold", "birch", "cedar")]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
USERS = ("formats", "report", "web")  # the extras for users; the others add a backend or a data source

TIGER = """<corpus id="c"><body><s id="s1"><graph root="s1_500">
<terminals><t id="s1_1" word="Birds" pos="N"/></terminals>
<nonterminals><nt id="s1_500" cat="S"><edge label="HD" idref="s1_1"/></nt></nonterminals>
</graph></s></body></corpus>
"""
EDS = "{e2: _sing_v_1<6:10>{e SF prop}[ARG1 x1] x1: _bird_n_1<0:5>{x}[]}\n"
MRS = "[ TOP: h0 INDEX: e2 [ e ] RELS: < [ _sing_v_1<6:10> LBL: h1 ARG0: e2 ] > HCONS: < h0 qeq h1 > ]\n"


@pytest.fixture
def without(monkeypatch):
    """Hide the packages of extras, as if they were not installed."""

    def hide(*names):
        for module, package in extras.PACKAGES.items():
            if package.extra in names:
                monkeypatch.setitem(sys.modules, module, None)

    return hide


def normal(requirement):
    """Return the name of a package in the spelling that is compared."""
    return re.match(r"[\w.-]+", requirement)[0].lower().replace("_", "-")


def third_party(path):
    """Yield the packages that the module at *path* imports, and whether it does so when it is imported."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    top = set(map(id, tree.body))
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module]
        for name in names:
            root = name.split(".")[0]
            if root != "arbitree" and root not in sys.stdlib_module_names:
                yield root, id(node) in top


def test_the_table_of_packages_is_that_of_the_metadata():
    declared = {
        (normal(each).removesuffix("-cuda12x"), extra)
        for extra, found in PROJECT["optional-dependencies"].items()
        if extra not in ("all", "bench", "docs", "fuzz", "notebooks", "peers", "test")
        for each in found
    }
    assert {(normal(each.name), each.extra) for each in extras.PACKAGES.values()} == declared
    assert PROJECT["optional-dependencies"]["all"] == [f"arbitree[{','.join(USERS)}]"]


def test_every_imported_package_is_in_the_core_or_in_an_extra():
    core = {normal(each) for each in PROJECT["dependencies"]}
    assert core == {"jinja2", "numpy", "rich", "scipy", "typer"}
    found = {
        name
        for path in (ROOT / "src").rglob("*.py")
        for name, _ in third_party(path)
        if normal(name) not in core
    }
    parts = {  # dependencies of packages that are declared
        "click": "typer",
        "h11": "uvicorn",
        "markupsafe": "jinja2",
        "pydantic": "fastapi",
        "starlette": "fastapi",
    }
    assert {name for name in found if name not in extras.PACKAGES} <= set(parts)


def test_optional_packages_are_imported_in_functions():
    """A module that imports one when it is imported itself cannot be used without it; the web app may."""
    for path in (ROOT / "src").rglob("*.py"):
        if "web" not in path.relative_to(ROOT / "src" / "arbitree").parts:
            assert not {name for name, top in third_party(path) if top and name in extras.PACKAGES}, path


NEEDED = {
    "report": ("report", ["report", *DEPENDENCY, "-o", "new"]),
    "figures of agree": ("report", ["agree", *DEPENDENCY, "--figures", "new"]),
    "figures of simulate": ("report", ["simulate", EXAMPLES / "corpus" / "ferry.conllu", "-o", "new"]),
    "figures of prefer": (
        "report",
        ["prefer", *PREFER, "--judgments", EXAMPLES / "prefer" / "judgments.csv", "--figures", "new"],
    ),
    "workbook of agree": ("report", ["agree", *DEPENDENCY, "-o", "new.xlsx"]),
    "workbook of prefer": (
        "report",
        ["prefer", *PREFER, "--judgments", EXAMPLES / "prefer" / "judgments.csv", "-o", "new.xlsx"],
    ),
    "workbook of explain": ("report", ["explain", *PHRASE, "-o", "new.xlsx"]),
    "workbook of tsdb": ("report", ["tsdb", *PROFILES, "-o", "new.xlsx"]),
    "decisions in a workbook": ("report", ["tsdb", "--adjudicated", "old.xlsx"]),
    "serve": ("web", ["serve", *DEPENDENCY, "--project", "new", "--no-browser"]),
    "backup": ("web", ["backup", "old", "new"]),
    "restore": ("web", ["restore", "old", "new"]),
    "tsdb": ("formats", ["tsdb", *PROFILES]),
    "profiles": ("formats", ["agree", *PROFILES]),
    "derivations": ("formats", ["agree", *PROFILES, "--format", "derivations"]),
    "tiger": ("formats", ["agree", "a.xml", "b.xml"]),
    "tiger, named": ("formats", ["agree", "a.xml", "b.xml", "--format", "tigerxml"]),
    "tiger, written": ("formats", ["convert", PHRASE[0], "new.xml"]),
    "consensus as tiger": ("formats", ["coders", *PHRASE, "--consensus", "new.xml"]),
    "eds": ("formats", ["score", "a.eds", "b.eds"]),
    "mrs": ("formats", ["agree", "a.mrs", "b.mrs"]),
    "cluster": ("cluster", ["agree", *DEPENDENCY, "--backend", "dask"]),
    "gpu": ("gpu", ["agree", *DEPENDENCY, "--backend", "gpu"]),
    "wordnet": (
        "wordnet",
        [
            "agree",
            EXAMPLES / "senses" / "diary.tsv",
            "-m",
            "hierarchical_kappa:hierarchy=wn:oewn:2024",
        ],
    ),
}


@pytest.mark.parametrize(("extra", "arguments"), NEEDED.values(), ids=NEEDED)
def test_a_command_that_lacks_its_extra_names_it_and_writes_nothing(
    extra, arguments, without, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    for name, text in {"xml": TIGER, "eds": EDS, "mrs": MRS, "xlsx": ""}.items():
        for stem in ("a", "b", "old"):
            Path(f"{stem}.{name}").write_text(text, encoding="utf-8")
    before = sorted(Path().iterdir())
    without(extra)
    done = arbitree(*arguments)
    *_, last = done.stderr.decode().splitlines()
    assert done.returncode == 2
    assert re.search(rf"needs .+, which (is|are) not installed\. Install .+ '.+\[{extra}\]'", last)
    assert done.stdout == b""
    assert sorted(Path().iterdir()) == before


CORE = [
    ["agree", *DEPENDENCY, "--by", "pair"],
    ["agree", EXAMPLES / "labels" / "stance.tsv", "-o", "new.txt"],
    ["coders", EXAMPLES / "coders" / "reviews.csv"],
    ["coders", EXAMPLES / "coders" / "reviews.csv", "--feedback", "new"],
    ["convert", PHRASE[0], "new.export"],
    ["distance", "(S (NP) (VP))", "(S (NP))"],
    ["draw", *DEPENDENCY, "--item", "1"],
    ["explain", *PHRASE],
    ["explain", *PHRASE, "-o", "new"],
    ["prefer", *PREFER, "--judgments", EXAMPLES / "prefer" / "judgments.csv", "--resamples", "10"],
    ["score", EXAMPLES / "score" / "gold.conllu", EXAMPLES / "score" / "heron.conllu", "--json"],
    ["simulate", EXAMPLES / "corpus" / "ferry.conllu", "--runs", "1", "--levels", "0.5"],
]


@pytest.mark.parametrize("arguments", CORE, ids=lambda each: each[0])
def test_the_core_needs_no_extra(arguments, without, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    without(*(package.extra for package in extras.PACKAGES.values()))
    done = arbitree(*arguments)
    assert done.returncode == 0, done.stderr.decode()


def test_help_and_the_formats_list_everything_without_extras():
    """In a process of its own, where no module of Arbitree has been imported before."""
    hide = f"import sys; sys.modules.update(dict.fromkeys({list(extras.PACKAGES)}))"
    run = f"{hide}; from arbitree.cli import main; main()"
    found = [
        subprocess.run(
            [sys.executable, "-c", run, *arguments], capture_output=True, text=True, check=True
        ).stdout
        for arguments in (["--help"], ["list", "formats"], ["list", "measures"])
    ]
    assert all(f" {command} " in found[0] for command in ("agree", "report", "serve", "tsdb"))
    assert re.search(r"tigerxml .*needs the extra 'formats', which is not installed", found[1])
    assert re.search(r"^conllu((?!needs).)*$", found[1], re.MULTILINE)
    assert all(re.search(rf"^ *{name} ", found[2], re.MULTILINE) for name in ("las", "edm"))


def test_the_list_of_formats_names_the_extra_of_those_that_need_one():
    listed = {
        each["name"]: each["what"]
        for each in json.loads(arbitree("list", "formats", "--json").stdout)["formats"]
    }
    assert {name for name, what in listed.items() if "needs the extra 'formats'" in what} == {
        "cas_xmi",
        "derivations",
        "eds",
        "penman",
        "pml",
        "simplemrs",
        "tigerxml",
        "tsdb",
        "umr",
    }


def test_python_raises_an_error_of_the_family(without, tmp_path):
    without("pandas", "report")
    study = at.read(*DEPENDENCY)
    with pytest.raises(MissingExtra, match=r"report needs openpyxl and XlsxWriter, which are not installed"):
        at.report(study, tmp_path / "new")
    assert not (tmp_path / "new").exists()
    with pytest.raises(at.ArbitreeError, match=r"pip install '.*\[pandas\]'"):
        at.agree(study, "las", resamples=0).to_pandas()


@pytest.mark.parametrize(
    ("record", "command"),
    [
        ({"url": "file://{folder}", "dir_info": {}}, "pip install '{folder}[web]'"),
        ({"url": "file://{folder}", "dir_info": {"editable": True}}, "pip install '{folder}[web]'"),
        ({"url": "file://{here}", "dir_info": {}}, "pip install '.[web]'"),
        ({"url": "file://{folder}/gone.whl", "archive_info": {}}, "pip install 'arbitree[web]'"),
        ({"url": "https://example.org/arbitree.zip", "archive_info": {}}, "pip install 'arbitree[web]'"),
        ({}, "pip install 'arbitree[web]'"),
        (None, "pip install 'arbitree[web]'"),
    ],
)
def test_the_command_installs_from_where_arbitree_came_from(record, command, tmp_path, monkeypatch):
    """The records are those of PEP 610."""
    folder = tmp_path / "a clone"
    folder.mkdir()
    names = {"folder": str(folder), "here": str(Path.cwd())}
    if record and "url" in record:
        record = record | {"url": record["url"].format(**names).replace(" ", "%20")}

    class Installed:
        def read_text(self, name):
            return json.dumps(record) if record is not None and name == "direct_url.json" else None

    monkeypatch.setattr("importlib.metadata.distribution", lambda name: Installed())
    assert extras.install_command("web") == command.format(**names)


def test_only_missing_packages_are_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(MissingExtra, match=r"^serve needs uvicorn, which is not installed\. Install it with"):
        extras.need("serve", *extras.WEB)
