"""What of files needs no root; test/server/host-files.test.ts runs the module through Ansible."""

import os

import pytest
from ansible_collections.playsmith.host.plugins.module_utils import text_files


def test_a_missing_file_has_no_text(tmp_path):
    assert text_files.read(str(tmp_path / "none")) is None


def test_folders_on_the_way_have_the_mode_that_is_asked_for(tmp_path):
    text_files.make_folders(str(tmp_path / "a" / "b"), 0o750)
    assert (tmp_path / "a").stat().st_mode & 0o7777 == 0o750
    assert (tmp_path / "a" / "b").is_dir()


def test_a_difference_of_the_mode_alone_says_so():
    modes = {"prepared": "/etc/a: owner or mode"}
    assert text_files.difference("/etc/a", b"one", b"one", modes)["prepared"] == "/etc/a: owner or mode"


@pytest.mark.parametrize(
    ("text", "mode", "is_as_wanted"),
    [
        ("global\n", 0o644, True),
        # Without its last line end it is another file.
        ("global", 0o644, False),
        ("globál\n", 0o644, False),
        ("global\n", 0o600, False),
        ("global\n", 0o666, False),
    ],
)
def test_a_file_is_compared_with_its_text_and_its_permissions(tmp_path, text, mode, is_as_wanted):
    path = tmp_path / "haproxy.cfg"
    path.write_text(text, encoding="utf-8")
    os.chmod(path, mode)
    file = {"path": str(path), "content": "global\n", "mode": "0644"}
    # Only root's files count.
    assert text_files.is_as_wanted(file) is (is_as_wanted and os.geteuid() == 0)


def test_a_file_that_is_not_there_is_not_as_wanted(tmp_path):
    assert not text_files.is_as_wanted({"path": str(tmp_path / "none"), "content": "", "mode": "0644"})


def test_a_file_without_text_is_as_wanted_where_it_is_not_there(tmp_path):
    path = tmp_path / "gone.conf"
    file = {"path": str(path), "content": None, "mode": None}
    assert text_files.is_as_wanted(file)
    path.write_text("")
    assert not text_files.is_as_wanted(file)
