"""Who may do what with whose host; test/lab/owner.test.ts asks real hosts."""

import os

import pytest
from ansible_collections.playsmith.host.plugins.modules import owner

UID = "1f0e8a52-6f4b"
LAB = {"cluster": "lab", "uid": UID, "since": "2026-11-25T00:00:00Z"}


@pytest.mark.parametrize("state", ["known", "present", "absent", "adopted"])
def test_a_host_of_another_cluster_is_refused_with_who_and_since_when(state):
    assert "the cluster lab (UID %s) since 2026-11-25T00:00:00Z" % UID in owner.refusal(LAB, "lab2", "", state, "other")


def test_the_three_ways_on_are_named():
    said = owner.refusal(LAB, "lab2", "", "known", None)
    assert "owner adopt --from lab" in said
    assert "owner release" in said
    assert "out of the definition" in said


@pytest.mark.parametrize("state", ["known", "present", "absent", "adopted", "read"])
def test_a_host_of_the_cluster_and_one_of_nobody_are_not_refused(state):
    assert owner.refusal(LAB, "lab", UID, state, None) is None
    assert owner.refusal(owner.NOBODY, "lab", UID, state, None) is None


def test_another_cluster_s_host_is_adopted_by_who_names_it():
    assert owner.refusal(LAB, "lab2", "", "adopted", "lab") is None
    assert owner.wanted(LAB, "lab2", "", "adopted", "now") == {"cluster": "lab2", "uid": "", "since": "now"}


@pytest.mark.parametrize(
    ("state", "of_nobody", "of_ours"),
    [
        ("known", owner.NOBODY, LAB),
        ("read", owner.NOBODY, LAB),
        ("present", {"cluster": "lab", "uid": UID, "since": "now"}, LAB),
        ("adopted", {"cluster": "lab", "uid": UID, "since": "now"}, LAB),
        ("absent", owner.NOBODY, owner.NOBODY),
    ],
)
def test_the_mark_that_is_wanted(state, of_nobody, of_ours):
    assert owner.wanted(owner.NOBODY, "lab", UID, state, "now") == of_nobody
    assert owner.wanted(LAB, "lab", UID, state, "now") == of_ours


def test_a_mark_is_written_for_everybody_to_read_read_and_removed_with_its_folder(tmp_path):
    path = str(tmp_path / "playsmith" / "owner.json")
    assert owner.read(path) == owner.NOBODY
    owner.write(path, owner.text(LAB))
    assert owner.read(path) == LAB
    assert os.stat(path).st_mode & 0o777 == 0o644
    owner.remove(path)
    assert not os.path.exists(os.path.dirname(path))


def test_two_clusters_of_one_name_are_told_apart_by_their_uid():
    assert "(UID %s)" % UID in owner.refusal(LAB, "lab", "another-uid", "known", None)
    assert "(without a UID)" in owner.refusal(LAB, "lab", "", "known", None)


def test_a_copy_under_another_name_is_refused_as_what_it_is():
    assert "Both have one UID" in owner.refusal(LAB, "lab2", UID, "known", None)


def test_a_mark_without_a_uid_is_that_of_the_name_and_is_given_one():
    nameless = dict(LAB, uid="")
    assert owner.refusal(nameless, "lab", UID, "known", None) is None
    assert owner.wanted(nameless, "lab", UID, "present", "now") == LAB


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '{"cluster": "lab"}',
        owner.text(dict(LAB, cluster="lab; reboot")),
        owner.text(dict(LAB, since="")),
    ],
)
def test_what_is_no_mark_is_nobody_s_word(text):
    with pytest.raises(owner.Unreadable):
        owner.judged(text)


def test_a_host_is_known_on_which_dpkg_was_ended_half_way(tmp_path, monkeypatch):
    monkeypatch.setattr(owner, "UPDATES", str(tmp_path))
    assert not owner.is_interrupted()
    (tmp_path / "tmp.i").write_text("")
    assert not owner.is_interrupted()
    (tmp_path / "0003").write_text("")
    assert owner.is_interrupted()
    monkeypatch.setattr(owner, "UPDATES", str(tmp_path / "none"))
    assert not owner.is_interrupted()
