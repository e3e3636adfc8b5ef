"""``arbitree papers``: public files from a server on this machine, and tables made from them."""

import json
import os
from pathlib import Path

import pytest

import arbitree as at
from arbitree.backends.base import mute, no_bar
from arbitree.reproduction.collection import Collection
from arbitree.reproduction.fetching import checksum_of
from arbitree.reproduction.papers import paper_named
from arbitree.reproduction.sources import files
from tests.support.commands import arbitree
from tests.support.public_files import COMMIT, OTHER, instead, listed, serving

EXAMPLES = Path("examples").absolute()
TREES = "examples/dependency/ann.conllu", "examples/dependency/bob.conllu"
EARLY = "(S (X It)\n  (Y rains))\n\n(S (X So))\n"
LATE = "(S (NP It) (VP rains))\n(S (X No))\n"
CUT = ("(S (X It) (Y rains))\n", "(S (NP It) (VP rains))\n")
RELEASES = {
    "one": ("castro2011", "me/grammar", "gold", "tsdb/erg/2024"),
    "two": ("castro2011", "me/grammar", "later/gold", "tsdb/erg/2025"),
    "early": ("kulick2013", "me/trees", "const", "gum-two-versions/early", COMMIT, OTHER),
    "late": ("kulick2013", "me/trees", "const", "gum-two-versions/late", OTHER, COMMIT),
    "more": ("castro2011", "me/grammar", "more", "tsdb/erg/2025/more"),
}


@pytest.fixture
def server(tmp_path, monkeypatch):
    """Serve two small profiles, a document in two releases, a file without a checksum, and a directory."""
    for name in [each for each in os.environ if each.lower().endswith("_proxy") or each == "ARBITREE_DATA"]:
        monkeypatch.delenv(name)
    known = {}
    with serving() as found:
        for release, coder, path in (("one", "ann", "gold"), ("two", "bob", "later/gold")):
            for file in sorted((EXAMPLES / "profiles" / coder).iterdir()):
                known[release, f"fracas/{file.name}"] = file.read_bytes()
                found.files[f"me/grammar/{COMMIT}/{path}/fracas/{file.name}"] = file.read_bytes()
        found.files[f"me/trees/{COMMIT}/const/a.ptb"] = EARLY.encode()
        found.files[f"me/trees/{OTHER}/const/a.ptb"] = LATE.encode()
        found.files[f"me/grammar/{COMMIT}/more/extra"] = b"new"
        found.files[f"me/grammar/{COMMIT}/more/dir/one"] = b"1"
        found.files[f"me/grammar/{COMMIT}/more/dir/deep/two"] = b"2"
        known |= {("early", "a.ptb"): CUT[0].encode(), ("late", "a.ptb"): CUT[1].encode()}
        known |= {("more", "extra"): None, ("more", "dir/"): None}
        lists = tmp_path / "lists"
        lists.mkdir()
        listed(lists, RELEASES, known)
        monkeypatch.setenv("ARBITREE_SOURCES", found.address)
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        with instead(lists, monkeypatch):
            yield found


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache" / "arbitree" / "papers"


def papers(*arguments):
    done = arbitree("papers", *arguments)
    assert done.returncode == 0, done.stderr
    return done


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_files_are_downloaded_once_and_the_table_is_made_from_them(server, cache):
    done = papers("castro2011")
    assert "De Castro (2011): profile" in done.stdout.decode()
    told = done.stderr.decode().splitlines()
    assert told[0].startswith("Downloading ")
    assert told[0].endswith(f" of tsdb/erg/2024 from me/grammar at {COMMIT[:10]}. Licence: free")
    assert (cache / "data/tsdb/erg/2025/more/dir/deep/two").read_bytes() == b"2"
    first = len(server.asked)
    again = papers("castro2011")
    assert len(server.asked) == first  # nothing
    assert again.stdout == done.stdout
    assert b"Downloading" not in again.stderr


def test_downloads_have_the_values_of_the_same_files(server, tmp_path):
    table = at.papers("castro2011")["castro2011"]["profile"]
    for release, coder in (("2024", "ann"), ("2025", "bob")):
        target = tmp_path / "mine/tsdb/erg" / release
        target.mkdir(parents=True)
        (target / "fracas").symlink_to(EXAMPLES / "profiles" / coder)
    asked = len(server.asked)
    assert at.papers("castro2011", data=tmp_path / "mine", offline=True)["castro2011"]["profile"] == table
    assert len(server.asked) == asked


def test_files_that_are_there_are_not_downloaded(server, tmp_path, cache, monkeypatch):
    mine = tmp_path / "mine/tsdb/erg/2024"
    mine.mkdir(parents=True)
    (mine / "fracas").symlink_to(EXAMPLES / "profiles/ann")
    monkeypatch.setenv("ARBITREE_DATA", str(tmp_path / "mine"))
    done = papers("castro2011")
    assert "De Castro (2011): profile" in done.stdout.decode()  # from both directories
    assert not [
        path
        for path, _ in server.asked
        if "/later/" not in path and "/more" not in path and "repos" not in path
    ]
    assert not (cache / "data/tsdb/erg/2024").exists()


def test_a_file_that_was_changed_is_used_with_a_warning(server, tmp_path):
    papers("castro2011")
    mine = tmp_path / "mine/tsdb/erg/2024/fracas"
    mine.mkdir(parents=True)
    (mine / "item").write_bytes((EXAMPLES / "profiles/ann/item").read_bytes() + b"\n")
    done = papers("castro2011", "--data", tmp_path / "mine")
    assert (
        f"warning: {mine / 'item'} is not the published file: its checksum differs\n" in done.stderr.decode()
    )


def test_documents_are_cut_from_two_releases(server, cache):
    done = papers("kulick2013", "--json")
    assert (cache / "data/gum-two-versions/early/a.ptb").read_text(encoding="utf-8") == CUT[0]
    assert (cache / "data/gum-two-versions/late/a.ptb").read_text(encoding="utf-8") == CUT[1]
    names = [part["name"] for part in json.loads(done.stdout)["papers"][0]["parts"]]
    assert "versions" in names
    assert "parsed" not in names


def test_documents_are_cut_again_from_what_is_there(server, cache):
    papers("kulick2013")
    (cache / "data/gum-two-versions/early/a.ptb").unlink()
    papers("kulick2013", "--offline")
    assert (cache / "data/gum-two-versions/early/a.ptb").read_text(encoding="utf-8") == CUT[0]


def test_what_is_cut_is_checked(server, cache):
    server.files[f"me/trees/{COMMIT}/const/a.ptb"] = b"(S (X It) (Z rains))"
    done = arbitree("papers", "kulick2013")
    assert done.returncode == 2
    assert (
        "gum-two-versions/early/a.ptb: what was cut from two releases of me/trees is not"
        in done.stderr.decode()
    )
    server.files[f"me/trees/{COMMIT}/const/a.ptb"] = EARLY.encode()
    papers("kulick2013")


def test_without_network_it_says_what_to_download_by_hand(server, cache):
    server.shutdown()
    server.server_close()
    done = papers("castro2011", "kulick2013")
    told = done.stderr.decode()
    assert "Files are missing (cannot reach 127.0.0.1:" in told
    one = f"  me/grammar at {COMMIT}: gold/fracas/{{decision,"
    assert one in told
    assert f" -> {cache}/data/tsdb/erg/2024/fracas\n" in told
    assert f"  me/trees at {OTHER}: const/a.ptb -> {cache}/raw/me/trees/{OTHER}/const\n" in told
    assert "De Castro (2011): table 5.1" in done.stdout.decode()  # needs no data
    assert "profile\n" not in done.stdout.decode()


def test_files_put_there_by_hand_are_used(server, cache):
    for path in (EXAMPLES / "profiles").glob("[ab]*/*"):
        target = (
            cache / "data/tsdb/erg" / {"ann": "2024", "bob": "2025"}[path.parent.name] / "fracas" / path.name
        )
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    for commit, text in ((COMMIT, EARLY), (OTHER, LATE)):
        target = cache / f"raw/me/trees/{commit}/const/a.ptb"
        target.parent.mkdir(parents=True)
        target.write_text(text, encoding="utf-8")
    done = papers("castro2011", "kulick2013", "--offline")
    assert "De Castro (2011): profile" in done.stdout.decode()
    assert "Kulick et al. (2013): versions" in done.stdout.decode()
    assert server.asked == []


def test_a_wrong_checksum_stops_the_command_and_keeps_nothing(server, cache):
    path = f"me/grammar/{COMMIT}/gold/fracas/relations"
    right, server.files[path] = server.files[path], b"another page"
    done = arbitree("papers", "castro2011")
    assert (done.returncode, done.stdout) == (2, b"")
    assert "relations: the file from " in done.stderr.decode().splitlines()[-1]
    assert not [name for name in contents(cache) if "relations" in name]
    server.files[path] = right
    papers("castro2011")


def test_a_first_download_is_the_measure_of_later_ones(server, cache):
    papers("castro2011")
    kept = cache / "data/tsdb/erg/2025/more/extra"
    assert f"tsdb/erg/2025/more/extra\t{checksum_of(b'new')}\n" in (cache / "checksums.tsv").read_text(
        encoding="utf-8"
    )
    kept.write_bytes(b"changed")
    papers("castro2011")
    assert kept.read_bytes() == b"new"
    kept.unlink()
    server.files[f"me/grammar/{COMMIT}/more/extra"] = b"newer"
    done = arbitree("papers", "castro2011")
    assert done.returncode == 2
    assert "its checksum or size differs" in done.stderr.decode()


def test_a_file_that_is_gone_stops_the_command_only_if_tables_need_it(server):
    del server.files[f"me/grammar/{COMMIT}/more/extra"]
    done = papers("castro2011")
    assert "missing: 1 file of tsdb/erg/2025/more (the server does not have it)" in " ".join(
        done.stdout.decode().split()
    )
    del server.files[f"me/trees/{OTHER}/const/a.ptb"]
    done = arbitree("papers", "kulick2013")
    assert done.returncode == 2
    assert (
        done.stderr.decode().splitlines()[-1].startswith("error: the server does not have http://127.0.0.1:")
    )


def test_a_list_of_files_that_cannot_be_had_is_no_obstacle(server):
    server.codes[f"repos/me/grammar/git/trees/{COMMIT}"] = 403
    done = papers("castro2011", "--json")
    (missing,) = json.loads(done.stdout)["missing"]
    assert (missing["directory"], missing["why"][:23]) == (
        "tsdb/erg/2025/more/dir",
        "the server answered 403",
    )


def test_a_cache_on_a_full_disk_is_one_line(server, tmp_path):
    target = tmp_path / "small"
    target.mkdir()
    if os.getuid() or os.system(f"mount -t tmpfs -o size=16k tmpfs {target} 2>/dev/null"):
        pytest.skip("needs the right to mount a small file system")
    try:
        server.files[f"me/grammar/{COMMIT}/more/extra"] = bytes(100_000)
        done = arbitree("papers", "castro2011", "--cache", target)
        assert done.returncode == 2
        assert "cannot write the file (No space left on device). Check the space" in done.stderr.decode()
        assert not [name for name in contents(target) if name.endswith("extra")]
    finally:
        os.system(f"umount {target}")


def test_the_list_shows_files_and_licences_without_downloads(server, cache):
    done = papers("castro2011", "--list")
    text = done.stdout.decode()
    assert "tsdb/erg/2024/fracas/item" in text
    assert "free" in text
    assert text.partition("\n")[0].endswith("; none downloaded yet.")
    assert (server.asked, cache.exists()) == ([], False)
    found = json.loads(papers("castro2011", "--list", "--json").stdout)["files"]
    assert found == at.paper_files("castro2011").to_dict()["files"]
    assert {each["place"] for each in found} == {"missing"}


def test_pages_and_figures_are_written(server, tmp_path):
    papers("castro2011", "kulick2013", "-o", tmp_path / "out", "-q")
    assert sorted(contents(tmp_path / "out")) == [
        "castro2011.md", "kulick2013-example1.svg", "kulick2013-example4.svg", "kulick2013.md",
    ]  # fmt: skip
    page = (tmp_path / "out/castro2011.md").read_text(encoding="utf-8")
    assert page.startswith("# Reproduction of de Castro (2011)\n\n## Table 3.2\n\n<!-- table 3.2 -->\n\n|")
    assert at.papers("castro2011")["castro2011"]["profile"] in page


def test_json_has_every_comparison(server):
    found = json.loads(papers("melamed_resnik2000", "--json", "--cite").stdout)
    (paper,) = found["papers"]
    cells = [cell for part in paper["parts"] for cell in part.get("compared", ())]
    assert (
        (paper["compared"], paper["equal"]) == (len(cells), sum(cell["equal"] for cell in cells)) == (17, 16)
    )
    assert cells[-1] == {
        "row": "A.1a and B.2, A.1 and B", "column": "score", "published": 0.4, "ours": pytest.approx(5 / 12),
        "equal": False,
    }  # fmt: skip
    assert "melamed-resnik2000" in found["citations"][0]
    frame = at.papers("melamed_resnik2000").to_pandas()
    assert list(frame["equal"]).count(False) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["plank2014"], "unknown paper 'plank2014'. Did you mean 'plank2015'?"),
        (["--data", "absent"], "absent: the directory of data does not exist."),
        (["-o", "x.pdf"], "this command writes several files to a directory"),
    ],
)
def test_wrong_arguments_are_one_line(server, arguments, message):
    done = arbitree("papers", *arguments)
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


def merged(first, second):
    """The lines of two parts of a document, each in its order."""
    found, rest = [], list(second)
    for line in first:
        if line in rest:
            found += rest[: rest.index(line)]
            rest = rest[rest.index(line) + 1 :]
        found.append(line)
    return found + rest


def test_all_files_of_the_papers_arrive_as_they_are(data, tmp_path, monkeypatch):
    """The data, served as the repositories serve them, are laid out and cut to the same bytes."""
    monkeypatch.delenv("ARBITREE_DATA")
    with serving() as server:
        monkeypatch.setenv("ARBITREE_SOURCES", server.address)
        documents = {}
        for each in files():
            if each.release.cut:
                lines = (data / each.target).read_text(encoding="utf-8").splitlines(keepends=True)
                documents.setdefault(str(each.origin), []).append(lines)
            elif not each.extra:
                server.files[str(each.origin)] = (data / each.target).read_bytes()
        for path, parts in documents.items():
            server.files[path] = "".join(merged(*parts, *([()] if len(parts) == 1 else []))).encode()
        found = Collection([each for each in files() if not each.extra], None, tmp_path)
        found.look()
        found.download(mute, no_bar)
        with found.laid_out() as folder:
            made = paper_named("castro2011").parts[-1].pieces(folder)
    for each in found.files:
        assert (folder / each.target).read_bytes() == (data / each.target).read_bytes(), each
    page = Path("docs/papers/castro2011.md").read_text(encoding="utf-8")
    assert f"<!-- profile -->\n\n{made['profile']}\n\n<!-- end -->" in page
