"""Arguments that name several studies: directories of files, directories or profiles, patterns, tables."""

import shutil
from pathlib import Path

import pytest

from arbitree.errors import ArbitreeError, FormatError, StudyError
from arbitree.reading.inputs import Reading
from arbitree.reading.studies import read_studies, studies_of

EXAMPLES = Path("examples")


@pytest.fixture
def corpora(tmp_path):
    """Directories whose annotators are files, directories and profiles, and files of two corpora."""
    shutil.copytree(EXAMPLES / "dependency", tmp_path / "files")
    for name in ("ann", "bob"):
        (tmp_path / "folders" / name).mkdir(parents=True)
        shutil.copy(EXAMPLES / "dependency" / f"{name}.conllu", tmp_path / "folders" / name / "text.conllu")
        for corpus, source in (("danish", "dependency"), ("swedish", "score")):
            (tmp_path / "mixed").mkdir(exist_ok=True)
            file = f"{name}.conllu" if source == "dependency" else "gold.conllu"
            shutil.copy(EXAMPLES / source / file, tmp_path / "mixed" / f"{name}-{corpus}.conllu")
    shutil.copytree(EXAMPLES / "profiles", tmp_path / "profiles")
    return tmp_path


def names(found):
    return {name: [each.coder for each in inputs] for name, inputs in found.items()}


def test_backup_files_are_not_annotators(corpora):
    shutil.copy(corpora / "files" / "bob.conllu", corpora / "files" / "bob.conllu~")
    said = []
    found = read_studies(Reading((str(corpora / "files"),)), say=said.append)
    assert found["files"].coders == ("ann", "bob", "cho")
    what = f"warning: skipped {corpora}/files/bob.conllu~: a backup file of an editor"
    assert f"files: {what}" in said


def test_files_directories_and_profiles_are_annotators(corpora):
    found = studies_of([str(corpora / name) for name in ("files", "folders", "profiles")])
    assert names(found) == {
        "files": ["ann", "bob", "cho"],
        "folders": ["ann", "bob"],
        "profiles": ["ann", "bob"],
    }


def test_a_pattern_selects_the_files_of_a_corpus_and_names_it(corpora):
    found = studies_of([f"{corpora}/mixed/*-danish.conllu", f"sv={corpora}/mixed/*-swedish.conllu"])
    assert names(found) == {"danish": ["ann", "bob"], "sv": ["ann", "bob"]}


def test_a_pattern_selects_directories(corpora):
    (corpora / "folders" / "README.md").write_text("About these files.\n", encoding="utf-8")
    found = studies_of([f"both={corpora}/folders/*/"])
    assert names(found) == {"both": ["ann", "bob"]}


def test_a_table_is_a_study(corpora):
    found = read_studies(Reading(("examples/labels/stance.tsv", str(corpora / "files"))))
    assert {name: len(study.coders) for name, study in found.items()} == {"stance": 4, "files": 3}


def test_messages_name_the_study(corpora):
    said = []
    read_studies(Reading((str(corpora / "files"), str(corpora / "profiles"))), said.append)
    assert "files: Format detected: conllu" in said
    assert "profiles: Format detected: tsdb" in said


def test_a_file_that_cannot_be_read_is_not_skipped_because_it_may_be_an_annotator(corpora):
    (corpora / "files" / "README").write_text("About these files, which are trees.\n", encoding="utf-8")
    with pytest.raises(FormatError, match="README"):
        read_studies(Reading((str(corpora / "files"),)))
    (study,) = read_studies(Reading((f"{corpora}/files/*.conllu",))).values()
    assert study.coders == ("ann", "bob", "cho")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no studies. With --studies, each argument is a study"),
        (["none"], "none: file or directory not found. The current directory contains no"),
        (["{}/files/*.mrg"], "files/*.mrg: no file matches this pattern. Check the pattern."),
        (["{}/empty"], "empty: the directory is empty. With --studies, each argument is a study"),
        (["{}/both"], "both: files and directories are mixed, so it is not clear which are the annotators"),
        (
            ["{}/profiles/ann"],
            "ann: a profile is the work of one annotator. Pass the directory that contains",
        ),
        (
            ["{}/files", "{}/files"],
            "two studies are called 'files'. Name the studies: files1=PATH files2=PATH",
        ),
        (["{}/files/ann.conllu"], "ann.conllu: the study 'ann' has only one annotator, ann. With --studies"),
        (["{}/lone"], "the study 'lone' has only one annotator, ann. With --studies, each argument is"),
        (["{}/broken"], "broken/bob.conllu:1: cannot detect the file format"),
    ],
)
def test_mistakes_name_the_study(corpora, arguments, message):
    for name in ("empty", "both", "lone", "broken"):
        (corpora / name).mkdir()
    for target in ("both/ann.conllu", "lone/ann.conllu", "broken/ann.conllu"):
        shutil.copy(EXAMPLES / "dependency" / "ann.conllu", corpora / target)
    (corpora / "both" / "bob").mkdir()
    (corpora / "broken" / "bob.conllu").write_text(
        "# sent_id = a\n# text = Rain\n1\tRain\train\tNOUN\n\n", encoding="utf-8"
    )
    with pytest.raises(ArbitreeError) as caught:
        read_studies(Reading(tuple(each.format(corpora) for each in arguments)))
    assert message in caught.value.typed


def test_dirs_is_refused():
    with pytest.raises(StudyError, match="cannot be combined"):
        read_studies(Reading(("examples/dependency",), dirs=True))


def test_errors_without_a_path_get_the_name_of_the_study(corpora):
    for name, words in (("ann", "Rain"), ("bob", "Snow")):
        (corpora / "odd").mkdir(exist_ok=True)
        (corpora / "odd" / f"{name}.conllu").write_text(
            f"# sent_id = {name}\n1\t{words}\t_\t_\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8"
        )
    with pytest.raises(StudyError) as caught:
        read_studies(Reading((str(corpora / "odd"),), match="id"))
    assert "odd" in caught.value.typed
