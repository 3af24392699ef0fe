import os

import pytest
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure
from ansible_collections.playsmith.host.plugins.modules import kept_snapshot


def kept(tmp_path, cluster):
    folder = tmp_path / cluster / "etcd"
    folder.mkdir(parents=True)
    (folder / "20261125T000000Z.db").write_text("snapshot")
    return str(folder)


def test_a_folder_that_was_renamed_is_named_with_the_way_back(tmp_path):
    wanted, renamed = kept(tmp_path, "lab"), str(tmp_path / "lab-old")
    os.rename(str(tmp_path / "lab"), renamed)
    with pytest.raises(Failure) as failure:
        kept_snapshot.find(wanted, "latest")
    assert str(failure.value) == "nothing is kept in %s; if it was renamed, name it %s again: snapshots are in %s" % (
        wanted,
        tmp_path / "lab",
        renamed,
    )


def test_an_empty_folder_says_the_same(tmp_path):
    wanted, other = kept(tmp_path, "lab"), kept(tmp_path, "edge")
    os.unlink(os.path.join(wanted, "20261125T000000Z.db"))
    with pytest.raises(Failure, match="snapshots are in " + os.path.dirname(other)):
        kept_snapshot.find(wanted, "latest")


def test_without_others_nothing_is_guessed(tmp_path):
    with pytest.raises(Failure) as failure:
        kept_snapshot.find(str(tmp_path / "lab" / "etcd"), "latest")
    assert str(failure.value) == "nothing is kept in %s" % (tmp_path / "lab" / "etcd")


def test_keeps_what_was_fetched_and_deletes_all_of_what_is_too_old(tmp_path):
    folder = kept(tmp_path, "lab")
    (tmp_path / "lab/etcd/20261125T000000Z.pki.tar").write_text("old")
    incoming = tmp_path / "lab/etcd/incoming"
    incoming.mkdir()
    (incoming / "snapshot.db").write_text("new")
    checksum = kept_snapshot.digest(str(incoming / "snapshot.db"))
    (incoming / "SHA256SUMS").write_text("%s *snapshot.db\n" % checksum)
    done = kept_snapshot.keep(folder, 1)
    (name,) = kept_snapshot.snapshots(folder)
    assert sorted(os.listdir(folder)) == [name + ".db", name + ".db.sha256"]
    assert kept_snapshot.find(folder, "latest")["checksum"] == checksum
    assert [each.split(" ")[0] for each in done] == ["kept", "deleted"]


def test_one_that_is_encrypted_counts_as_kept_and_is_found_where_there_is_a_key(tmp_path):
    folder = kept(tmp_path, "lab")
    incoming = tmp_path / "lab/etcd/incoming"
    incoming.mkdir()
    names = ["snapshot.db.age", "snapshot.json"]
    for name in names:
        (incoming / name).write_text(name)
    sums = ["%s *%s\n" % (kept_snapshot.digest(str(incoming / name)), name) for name in names]
    (incoming / "SHA256SUMS").write_text("".join(sums))
    kept_snapshot.keep(folder, 1)
    (stem,) = kept_snapshot.snapshots(folder)
    assert sorted(os.listdir(folder)) == [
        stem + each for each in (".db.age", ".db.age.sha256", ".json", ".json.sha256")
    ]
    assert kept_snapshot.find(folder, stem + ".db.age", encrypted=True)["path"].endswith(".db.age")
    kept_snapshot.require_recent(folder, 1)
    with pytest.raises(Failure, match=r"is encrypted, and the definition has no backup\.decryptWith"):
        kept_snapshot.find(folder, "latest")


def test_an_old_one_that_was_fetched_now_is_no_recent_one(tmp_path):
    with pytest.raises(Failure, match=r"no snapshot of etcd in .* is younger than 24 hours"):
        kept_snapshot.require_recent(kept(tmp_path, "lab"), 24)


def fetched(folder, text):
    incoming = os.path.join(folder, "incoming")
    os.mkdir(incoming)
    with open(os.path.join(incoming, "snapshot.db"), "w", encoding="utf-8") as file:
        file.write(text)
    with open(os.path.join(incoming, "SHA256SUMS"), "w", encoding="utf-8") as file:
        file.write("%s *snapshot.db\n" % kept_snapshot.digest(os.path.join(incoming, "snapshot.db")))


def test_of_a_clock_that_was_ahead_once_the_newest_is_still_the_latest_and_stays(tmp_path):
    folder = kept(tmp_path, "lab")
    os.rename(os.path.join(folder, "20261125T000000Z.db"), os.path.join(folder, "20991231T235959Z.db"))
    for text in ("first", "second"):
        fetched(folder, text)
        kept_snapshot.keep(folder, 1)
        assert list(kept_snapshot.snapshots(folder)) == ["21000101T00000%dZ" % (text == "second")]
        with open(kept_snapshot.find(folder, "latest")["path"], encoding="utf-8") as file:
            assert file.read() == text
    # It was fetched just now, whatever its name says.
    kept_snapshot.require_recent(folder, 1)


def test_one_of_the_future_is_no_recent_one(tmp_path):
    folder = kept(tmp_path, "lab")
    path = os.path.join(folder, "20991231T235959Z.db")
    os.rename(os.path.join(folder, "20261125T000000Z.db"), path)
    os.utime(path, (4102444799, 4102444799))
    with pytest.raises(Failure, match=r"no snapshot of etcd in .* is younger than 24 hours"):
        kept_snapshot.require_recent(folder, 24)


def test_sums_that_are_none_are_told(tmp_path):
    folder = kept(tmp_path, "lab")
    fetched(folder, "new")
    (tmp_path / "lab/etcd/incoming/SHA256SUMS").write_text("nothing of the kind\n")
    with pytest.raises(Failure):
        kept_snapshot.settle({"hours": 0, "state": "kept", "folder": folder, "keep": 1}, False)
