import json
import os
import shutil
import subprocess

import pytest
from ansible_collections.playsmith.host.plugins.module_utils.host import digest
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure
from ansible_collections.playsmith.host.plugins.modules import encrypted_snapshot

pytestmark = pytest.mark.skipif(shutil.which("age") is None, reason="age itself encrypts here")
STATUS = {"hash": 1, "revision": 42, "totalKey": 7, "totalSize": 20480}


@pytest.fixture
def key():
    """A private key as a person keeps it, and its public half."""
    made = subprocess.run(["age-keygen"], capture_output=True, check=True, text=True)
    return made.stdout, made.stderr.split()[-1]


@pytest.fixture
def taken(tmp_path):
    folder = tmp_path / "snapshot"
    folder.mkdir()
    (folder / "snapshot.db").write_bytes(b"every secret of the cluster" * 9000)
    (folder / "snapshot.pki.tar").write_bytes(b"its keys")
    (folder / "snapshot.json").write_text(json.dumps(STATUS))
    (folder / "SHA256SUMS").write_text("0 *snapshot.db\n")
    return folder


@pytest.fixture
def private(tmp_path, monkeypatch):
    """The folders for what is decrypted."""
    (tmp_path / "run").mkdir()
    folder = str(tmp_path / "run/playsmith-restore")
    monkeypatch.setattr(encrypted_snapshot, "FOLDERS", (folder,))
    monkeypatch.setattr(encrypted_snapshot, "COPY", str(tmp_path / "copy.db"))
    return folder


def given(folder, state, **more):
    usual = {"recipients": [], "user": "root", "path": str(folder / "snapshot.db.age"), "identity": ""}
    return {**usual, "state": state, "folder": str(folder), **more}


def test_nothing_that_is_not_encrypted_is_left_and_what_is_known_without_a_key_stays_readable(taken, key):
    identity, recipient = key
    encrypted_snapshot.settle(given(taken, "encrypted", recipients=[recipient]), False)
    names = ["SHA256SUMS", "snapshot.db.age", "snapshot.json", "snapshot.pki.tar.age"]
    assert sorted(os.listdir(taken)) == names
    assert all(b"secret" not in (taken / name).read_bytes() for name in names)
    about = json.loads((taken / "snapshot.json").read_text())
    assert about == {"revision": 42, "keys": 7, "bytes": 20480, "encryptedTo": [recipient]}
    sums = dict(reversed(line.split(" *")) for line in (taken / "SHA256SUMS").read_text().splitlines())
    assert sums == {name: digest(str(taken / name)) for name in names[1:]}
    assert identity.splitlines()[-1] not in str(about)


def test_any_of_the_keys_decrypts_it_for_root_alone_and_it_is_removed_again(taken, key, private):
    identity, recipient = key
    other = subprocess.run(["age-keygen"], capture_output=True, check=True, text=True).stderr.split()[-1]
    encrypted_snapshot.settle(given(taken, "encrypted", recipients=[other, recipient]), False)
    _, _, found = encrypted_snapshot.settle(given(taken, "decrypted", identity=identity), False)
    assert found["path"] == private + "/snapshot.db"
    with open(found["path"], "rb") as file:
        assert file.read() == b"every secret of the cluster" * 9000
    assert [os.stat(path).st_mode & 0o777 for path in (private, found["path"])] == [0o700, 0o600]
    assert encrypted_snapshot.settle(given(taken, "absent"), False)[0]
    assert not os.path.exists(private)
    assert not encrypted_snapshot.settle(given(taken, "absent"), False)[0]


def test_another_key_and_bytes_that_were_changed_are_refused_and_leave_nothing(taken, key, private):
    identity, recipient = key
    encrypted_snapshot.settle(given(taken, "encrypted", recipients=[recipient]), False)
    other = subprocess.run(["age-keygen"], capture_output=True, check=True, text=True).stdout
    for state in ("decryptable", "decrypted"):
        with pytest.raises(Failure, match=r"cannot be decrypted: no identity matched any of the recipients$"):
            encrypted_snapshot.settle(given(taken, state, identity=other), False)
    path = taken / "snapshot.db.age"
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    for state in ("decryptable", "decrypted"):
        with pytest.raises(Failure, match="cannot be decrypted"):
            encrypted_snapshot.settle(given(taken, state, identity=identity), False)
    assert not os.path.exists(private)


def test_what_was_kept_before_there_was_a_key_is_encrypted_with_its_time(tmp_path, key):
    identity, recipient = key
    plain = tmp_path / "20260101T000000Z.db"
    plain.write_bytes(b"old")
    (tmp_path / "20260101T000000Z.db.sha256").write_text("sum")
    (tmp_path / "notes.db").write_bytes(b"not ours")
    os.utime(plain, (1000, 1000))
    assert encrypted_snapshot.settle(given(tmp_path, "kept", recipients=[recipient]), False)[0]
    encrypted = tmp_path / "20260101T000000Z.db.age"
    assert sorted(os.listdir(tmp_path)) == [encrypted.name, encrypted.name + ".sha256", "notes.db"]
    assert encrypted.stat().st_mtime == 1000
    assert (tmp_path / (encrypted.name + ".sha256")).read_text().startswith(digest(str(encrypted)))
    assert not encrypted_snapshot.settle(given(tmp_path, "kept", recipients=[recipient]), False)[0]
    assert identity


def test_without_age_it_says_what_to_install(taken, monkeypatch):
    assert encrypted_snapshot.settle(given(taken, "examined"), False) == (False, [], {"missing": False})
    monkeypatch.setattr(encrypted_snapshot, "works", lambda *_: False)
    assert encrypted_snapshot.settle(given(taken, "examined"), False) == (False, [], {"missing": True})
    with pytest.raises(Failure, match="install the package age"):
        encrypted_snapshot.settle(given(taken, "encrypted"), False)


def test_check_mode_changes_nothing(taken, key):
    before = sorted(os.listdir(taken))
    assert encrypted_snapshot.settle(given(taken, "encrypted", recipients=[key[1]]), True)[0]
    assert sorted(os.listdir(taken)) == before
