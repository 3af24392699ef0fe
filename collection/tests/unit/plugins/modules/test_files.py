"""What of the module needs no root; test/server/host-files.test.ts runs it through Ansible."""

from ansible_collections.playsmith.host.plugins.modules import files


def test_a_missing_file_has_no_text(tmp_path):
    assert files.read(str(tmp_path / "none")) is None


def test_folders_on_the_way_have_the_mode_that_is_asked_for(tmp_path):
    files.make_folders(str(tmp_path / "a" / "b"), 0o750)
    assert (tmp_path / "a").stat().st_mode & 0o7777 == 0o750
    assert (tmp_path / "a" / "b").is_dir()


def test_a_difference_of_the_mode_alone_says_so():
    modes = {"prepared": "/etc/a: owner or mode"}
    assert files.difference("/etc/a", b"one", b"one", modes)["prepared"] == "/etc/a: owner or mode"
