"""The list of public files."""

import re
from pathlib import PurePosixPath

import pytest

from arbitree.errors import ArbitreeError
from arbitree.reproduction.papers import NAMES, OTHERS, paper_named
from arbitree.reproduction.sources import check_inside, files, files_of, releases


def test_every_file_has_a_fixed_commit_a_checksum_and_a_licence():
    for each in files():
        assert re.fullmatch("[0-9a-f]{40}", each.release.commit)
        assert re.fullmatch("[0-9a-f]{40}|", each.release.cut)
        assert re.fullmatch(r"[\w.-]+/[\w.-]+", each.release.repository)
        assert each.release.licence
        assert re.fullmatch("[0-9a-f]{64}|", each.sha256)
        assert (each.size is None) == each.extra


def test_every_file_is_named_once():
    targets = [each.target for each in files()]
    assert len(set(targets)) == len(targets)


def test_files_without_a_checksum_are_those_that_tables_do_without():
    found = {str(PurePosixPath(each.target).parent) for each in files() if each.extra and not each.folder}
    assert found == {"syn-agreement/ndt", "plank2015/es", "plank2015/hr"}
    assert [each.target for each in files() if each.folder] == ["syn-agreement/cdt/it", "syn-agreement/ssd"]


def test_all_files_belong_to_a_paper():
    assert {each.paper for each in releases().values()} < {*NAMES, "tests"}
    for name in (*NAMES, *OTHERS):
        paper = paper_named(name)
        folders = {each.release.folder for each in files_of([name, *paper.others])}
        for need in paper.needs:
            assert any(PurePosixPath(each).is_relative_to(need) for each in folders), need


@pytest.mark.parametrize("path", ["", "/etc/passwd", "../a", "a/../b", "a//b", "a/./b", "C:/a", "a\\b", "a/"])
def test_no_path_leaves_its_directory(path):
    with pytest.raises(ArbitreeError, match="is not the path of a file below a directory"):
        check_inside(path)


def test_checksums_are_those_of_the_data(data):
    from arbitree.reproduction.fetching import checksum_of

    for each in files():
        if not each.extra:
            content = (data / each.target).read_bytes()
            assert (len(content), checksum_of(content)) == (each.size, each.sha256), each.target
