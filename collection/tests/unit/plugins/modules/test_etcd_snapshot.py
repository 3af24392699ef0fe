import os
import shutil

import pytest
from ansible_collections.playsmith.host.plugins.modules import etcd_snapshot


@pytest.fixture
def data(tmp_path, monkeypatch):
    """The folder of etcd, into which a snapshot is restored as a file that holds its text."""

    def offline(*words):
        if words[:2] == ("snapshot", "restore") and "--data-dir" in words:
            os.makedirs(os.path.join(words[-1], "member"))
            shutil.copyfile(words[2], os.path.join(words[-1], "member", "db"))
        return ""

    folder = str(tmp_path / "etcd") + "/"
    os.mkdir(folder)
    monkeypatch.setattr(etcd_snapshot, "DATA", folder)
    monkeypatch.setattr(etcd_snapshot, "MARK", folder + "playsmith-restored")
    monkeypatch.setattr(etcd_snapshot.etcd, "offline", offline)
    return folder


def restored(tmp_path, text):
    path = tmp_path / "snapshot"
    path.write_text(text)
    etcd_snapshot.restore({"path": str(path), "checksum": text, "name": "cp1", "peers": {"cp1": "https://cp1:2380"}})


def text_of(data):
    with open(data + "member/db", encoding="utf-8") as file:
        return file.read()


class Killed(BaseException):
    """SIGKILL, as far as a test goes."""


def test_what_was_restored_already_stays_and_another_one_takes_its_place(data, tmp_path):
    restored(tmp_path, "one")
    (tmp_path / "etcd/member/more").write_text("kept")
    restored(tmp_path, "one")
    assert os.path.exists(data + "member/more")
    restored(tmp_path, "two")
    assert text_of(data) == "two"


def test_one_that_was_killed_while_it_removed_the_last_one_is_not_taken_for_that(data, tmp_path, monkeypatch):
    restored(tmp_path, "one")
    with monkeypatch.context() as broken:

        def half(path, **_):
            os.unlink(os.path.join(path, "db"))
            raise Killed

        broken.setattr(etcd_snapshot.shutil, "rmtree", half)
        with pytest.raises(Killed):
            restored(tmp_path, "two")
    restored(tmp_path, "one")
    assert text_of(data) == "one"
