from ansible_collections.playsmith.host.plugins.modules import containerd_info as containerd


def test_only_what_playsmith_wrote_is_a_leftover(tmp_path, monkeypatch):
    monkeypatch.setattr(containerd, "ETC", str(tmp_path))
    monkeypatch.setattr(containerd, "UNITS", str(tmp_path))
    for name, text in {"ours": containerd.OURS + "a.", "theirs": "# mine", "wanted": containerd.OURS}.items():
        folder = tmp_path / "certs.d" / name
        folder.mkdir(parents=True)
        (folder / "hosts.toml").write_text(text)
    (tmp_path / "containerd.service").write_text("# by hand")
    assert containerd.leftovers(["wanted"], []) == [str(tmp_path / "certs.d" / "ours")]


def test_a_program_that_was_replaced_has_to_be_started_again(monkeypatch):
    service = {"MainPID": "1", "ExecStart": "{ path=/usr/bin/containerd ; }", "Environment": ""}
    monkeypatch.setattr(containerd.os, "readlink", lambda _: "/usr/bin/containerd (deleted)")
    assert containerd.outdated(service) == ["/usr/bin/containerd"]


def test_a_set_whose_copy_still_lies_there_was_not_imported(tmp_path, monkeypatch):
    answers = {"systemctl": "ActiveState=active\nExecMainStartTimestampMonotonic=0\n", "ctr": "a\nb\n"}
    monkeypatch.setattr(containerd, "KEPT", str(tmp_path))
    monkeypatch.setattr(containerd, "asked", lambda program, *_: answers.get(program))
    monkeypatch.setattr(containerd, "unread", lambda _: [])
    wanted = {"images": {"node": ["a"], "control-plane": ["b", "c"], "copied": ["a"]}, "archive": False}
    (tmp_path / "images-copied.tar").write_text("")
    lists = {name: [] for name in ("packages", "registries", "units")}
    found = containerd.found({**wanted, **lists, "etc": {}, "system": {}})
    assert found["sets"] == ["control-plane", "copied"]
    assert "- images/copied.tar" in found["images"]
    assert "- images/node.tar" not in found["images"]
