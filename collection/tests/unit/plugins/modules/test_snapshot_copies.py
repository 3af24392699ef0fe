import hashlib
import os

import pytest
from ansible_collections.playsmith.host.plugins.module_utils import snapshot_files
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure
from ansible_collections.playsmith.host.plugins.modules import snapshot_copies

OLD, NEW = "20260101T000000Z", "20260102T000000Z"


class Folder:
    """A copy in a folder of this machine."""

    def __init__(self, path, refuses=False):
        self.path, self.refuses = path, refuses
        os.makedirs(path, exist_ok=True)

    def __str__(self):
        return self.path

    def list(self):
        if self.refuses:
            raise Failure("it is full")
        return {name: os.path.getsize(os.path.join(self.path, name)) for name in os.listdir(self.path)}

    def put(self, source, name):
        with open(source, "rb") as file, open(os.path.join(self.path, name), "wb") as there:
            there.write(file.read())

    def get(self, name, target):
        with open(os.path.join(self.path, name), "rb") as file, open(target, "wb") as here:
            here.write(file.read())

    def remove(self, names):
        for name in names:
            os.unlink(os.path.join(self.path, name))


def keep(folder, stem, text="encrypted"):
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, stem + ".db.age")
    for name, each in ((path, text), (path + ".sha256", hashlib.sha256(text.encode()).hexdigest() + "  x\n")):
        with open(name, "w", encoding="utf-8") as file:
            file.write(each)


@pytest.fixture
def stores(tmp_path, monkeypatch):
    """Copies by their names."""
    found = {}
    monkeypatch.setattr(snapshot_copies, "store_of", lambda copy, *_: found[copy["name"]])
    found["one"], found["two"] = Folder(str(tmp_path / "one")), Folder(str(tmp_path / "two"))
    return found


def given(tmp_path, state="present", **more):
    copies = [{"name": name, "keep": 1} for name in ("one", "two")]
    usual = {"state": state, "folder": str(tmp_path / "kept"), "cluster": "lab", "copies": copies, "source": ""}
    return {**usual, "name": "latest", **more}


def test_the_latest_is_copied_once_and_only_snapshots_of_this_cluster_are_ever_deleted(tmp_path, stores):
    keep(given(tmp_path)["folder"], OLD)
    assert snapshot_copies.settle(given(tmp_path), False)[0]
    strangers = ["notes.db.age", "x" + OLD + ".db.age", OLD + ".txt", OLD + ".db"]
    for name in strangers:
        open(os.path.join(stores["one"].path, name), "w").close()
    # What an upload left that was ended in the middle.
    open(os.path.join(stores["one"].path, "20251231T000000Z.db.age.sha256"), "w").close()
    keep(given(tmp_path)["folder"], NEW)
    changed, done, more = snapshot_copies.settle(given(tmp_path), False)
    assert (changed, more) == (True, {"snapshot": NEW})
    assert sorted(stores["one"].list()) == sorted([*strangers, NEW + ".db.age", NEW + ".db.age.sha256"])
    assert sum(line.startswith("deleted") for line in done) == 3
    assert not snapshot_copies.settle(given(tmp_path), False)[0]
    assert "copying" not in os.listdir(given(tmp_path)["folder"])


def test_a_copy_that_fails_is_named_with_the_snapshot_that_is_whole_and_the_others_are_tried(tmp_path, stores):
    keep(given(tmp_path)["folder"], NEW)
    stores["one"].refuses = True
    with pytest.raises(Failure) as failure:
        snapshot_copies.settle(given(tmp_path), False)
    path = os.path.join(given(tmp_path)["folder"], NEW + ".db.age")
    message = "The snapshot %s is whole on this Ansible server, but 1 of 2 copies failed: one: it is full"
    assert str(failure.value) == message % path
    assert NEW + ".db.age" in stores["two"].list()


AHEAD, AFTER, AGAIN = "20991231T235959Z", "21000101T000000Z", "21000101T000001Z"


def test_of_a_clock_that_was_ahead_once_the_newest_is_the_latest_in_every_copy(tmp_path, stores):
    keep(stores["one"].path, AHEAD, "stale")
    for stem, name in ((OLD, AFTER), (NEW, AGAIN)):
        folder = given(tmp_path)["folder"]
        for each in os.listdir(folder) if os.path.isdir(folder) else []:
            os.unlink(os.path.join(folder, each))
        # Of a server that knows nothing of what lies there.
        keep(folder, stem, "text of " + stem)
        changed, done, more = snapshot_copies.settle(given(tmp_path), False)
        assert (changed, more) == (True, {"snapshot": name})
        assert list(snapshot_files.here(folder)) == [name]
        assert "named %s anew, %s: one has one that is called later" % (stem, name) in done
        for store in stores.values():
            assert list(snapshot_files.whole(snapshot_files.parts(store.list()))) == [name]
            fetched = given(tmp_path, "fetched", source="one", folder=str(tmp_path / "elsewhere" / name))
            os.makedirs(fetched["folder"])
            assert snapshot_copies.settle(fetched, False)[2] == {"snapshot": name}
            with open(os.path.join(fetched["folder"], name + ".db.age"), encoding="utf-8") as file:
                assert file.read() == "text of " + stem
            os.rename(fetched["folder"], fetched["folder"] + store.path.replace("/", "-"))
        assert not snapshot_copies.settle(given(tmp_path), False)[0]


def test_a_name_that_is_no_time_counts_nowhere_and_the_last_of_all_is_told(tmp_path, stores):
    keep(given(tmp_path)["folder"], NEW)
    keep(stores["one"].path, "99999999T999999Z")
    assert snapshot_copies.settle(given(tmp_path), False)[2] == {"snapshot": NEW}
    keep(stores["two"].path, "99991231T235959Z")
    with pytest.raises(
        Failure, match="two: no name comes after that of its snapshot 99991231T235959Z: delete it there"
    ):
        snapshot_copies.settle(given(tmp_path), False)
    assert NEW + ".db.age" in stores["one"].list()


def test_one_that_is_ended_while_it_is_named_anew_is_whole_under_one_name_or_both(tmp_path, stores, monkeypatch):
    folder = given(tmp_path)["folder"]
    keep(stores["one"].path, AHEAD)

    def ends_at(call, count):
        real, left = getattr(os, call), [count]

        def counted(*words):
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt
            return real(*words)

        return counted

    for call, count in (("link", 0), ("unlink", 0), ("unlink", 1)):
        for each in os.listdir(folder) if os.path.isdir(folder) else []:
            os.unlink(os.path.join(folder, each))
        keep(folder, NEW)
        with monkeypatch.context() as broken, pytest.raises(KeyboardInterrupt):
            broken.setattr(snapshot_files.os, call, ends_at(call, count))
            snapshot_copies.settle(given(tmp_path), False)
        assert snapshot_files.here(folder)
        assert snapshot_copies.settle(given(tmp_path), False)[2]["snapshot"] > AHEAD


def test_the_checksum_goes_before_the_snapshot_so_that_one_that_is_there_is_whole():
    names = {OLD + each for each in (".db.age", ".db.age.sha256", ".json", ".json.sha256", ".pki.tar.age")}
    assert snapshot_files.in_order(names)[-1] == OLD + ".db.age"
    assert snapshot_files.in_order(names)[0] == OLD + ".db.age.sha256"


def test_fetched_from_a_copy_it_is_kept_as_if_it_had_never_been_away(tmp_path, stores):
    keep(stores["one"].path, OLD)
    keep(stores["one"].path, NEW)
    wanted = given(tmp_path, "fetched", source="one", name=OLD + ".db.age")
    assert snapshot_copies.settle(wanted, False) == (
        True,
        ["fetched %s.db.age from %s" % (OLD, stores["one"])],
        {"snapshot": OLD},
    )
    assert list(snapshot_files.here(wanted["folder"])) == [OLD]
    assert os.stat(os.path.join(wanted["folder"], OLD + ".db.age")).st_mode & 0o777 == 0o600
    assert not snapshot_copies.settle(wanted, False)[0]


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"source": "three"}, "the definition has no copy three, only one, two"),
        ({"source": "two"}, "two: the copy two has no snapshot of this cluster"),
        ({"source": "one", "name": OLD}, "one: the copy one has no snapshot %s, only %s" % (OLD, NEW)),
        ({"source": "one"}, "one: %s.db.age is not what its checksum was made of" % NEW),
    ],
)
def test_what_cannot_be_fetched_is_refused_with_the_reason(tmp_path, stores, more, reason):
    keep(stores["one"].path, NEW)
    with open(os.path.join(stores["one"].path, NEW + ".db.age"), "a", encoding="utf-8") as file:
        file.write("!")
    with pytest.raises(Failure) as failure:
        snapshot_copies.settle(given(tmp_path, "fetched", **more), False)
    assert str(failure.value) == reason
    assert os.listdir(given(tmp_path)["folder"]) == []
