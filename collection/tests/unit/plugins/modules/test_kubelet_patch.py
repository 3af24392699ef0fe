"""What is kept of a patch, and whose configuration it changes; test/long/live.test.ts brings it to a real kubelet."""

from ansible_collections.playsmith.host.plugins.modules import kubelet_patch as module

GIVEN = {"node": "w1", "text": "maxPods: 110\n", "patch": "maxPods: 50\n"}


def settle(monkeypatch, folder, begun=True, dry=False, **more):
    monkeypatch.setattr(module, "is_begun", lambda *_paths: begun)
    monkeypatch.setattr(module, "patched", lambda _node, _text, patch: "patched " + patch)
    return module.settle({**GIVEN, "folder": str(folder), **more}, dry)


def test_a_patch_is_kept_where_the_next_upgrade_finds_it(monkeypatch, tmp_path):
    folder = tmp_path / "patches"
    assert settle(monkeypatch, folder, dry=True) == (True, "patched maxPods: 50\n")
    assert not folder.exists()
    assert settle(monkeypatch, folder) == (True, "patched maxPods: 50\n")
    assert (folder / module.NAME).read_text() == "maxPods: 50\n"
    assert settle(monkeypatch, folder) == (False, "patched maxPods: 50\n")


def test_one_that_is_no_longer_wanted_is_forgotten(monkeypatch, tmp_path):
    settle(monkeypatch, tmp_path)
    assert settle(monkeypatch, tmp_path, patch="") == (True, GIVEN["text"])
    assert list(tmp_path.iterdir()) == []
    assert settle(monkeypatch, tmp_path, patch="") == (False, GIVEN["text"])


def test_a_host_that_is_no_node_is_left_alone(monkeypatch, tmp_path):
    assert settle(monkeypatch, tmp_path, begun=False) == (False, GIVEN["text"])
    assert list(tmp_path.iterdir()) == []
