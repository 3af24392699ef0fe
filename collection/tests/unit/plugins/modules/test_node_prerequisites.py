import json

import pytest
from ansible.module_utils import basic
from ansible.module_utils.common.text.converters import to_bytes
from ansible_collections.playsmith.host.plugins.modules import node_prerequisites as prerequisites

FSTAB = "# swap is above\nUUID=1 / ext4 defaults 0 1\n/swapfile none swap sw 0 0\n# /old none swap sw 0 0\n"


SETTINGS = [
    {"path": "modules-load.d/kubernetes.conf", "content": "# Generated\n\nno_such_module\n"},
    {"path": "sysctl.d/90-kubernetes.conf", "content": "# Generated\n\nnet.ipv4.ip_forward = 1\n"},
    {"path": "apt/apt.conf.d/90proxy", "content": "other_module"},
    {"path": "sysctl.d/old.conf"},
]


@pytest.fixture
def host(monkeypatch, tmp_path):
    """A host with swap, that tells which commands it was given."""
    monkeypatch.setattr(prerequisites, "STATIC_PODS", str(tmp_path / "kubernetes/manifests"))
    files = {"/proc/swaps": "Filename\n/swapfile file 1 0 -2\n", "/etc/fstab": FSTAB}
    commands = []
    monkeypatch.setattr(prerequisites, "read", lambda path: files.get(path, ""))
    monkeypatch.setattr(prerequisites, "said", lambda *_: "")
    monkeypatch.setattr(prerequisites, "is_container", lambda: False)
    monkeypatch.setattr(prerequisites, "write", lambda _module, path, text: files.update({path: text}))
    # What becomes of files is seen in test_text_files.py and on hosts.
    monkeypatch.setattr(prerequisites.text_files, "bring", lambda *_: [])
    monkeypatch.setattr(
        basic.AnsibleModule, "run_command", lambda _, words, **__: commands.append(words) or (0, "", "")
    )
    return files, commands


def run(monkeypatch, capsys, **more):
    arguments = {"files": SETTINGS, **more}
    monkeypatch.setattr(basic, "_ANSIBLE_ARGS", to_bytes(json.dumps({"ANSIBLE_MODULE_ARGS": arguments})))
    with pytest.raises(SystemExit):
        prerequisites.main()
    return json.loads(capsys.readouterr().out)


def test_swap_is_a_comment_afterwards_and_nothing_else_changes():
    after = prerequisites.commented(FSTAB)
    assert after == FSTAB.replace("\n/swapfile", "\n# /swapfile")
    assert prerequisites.commented(after) == after


def test_does_what_is_needed_and_says_what(host, monkeypatch, capsys):
    files, commands = host
    result = run(monkeypatch, capsys)
    assert result["changed"]
    assert commands == [
        ["swapoff", "--all"],
        ["systemctl", "mask", "swap.target"],
        ["modprobe", "--all", "no_such_module"],
        ["sysctl", "--quiet", "--write", "net.ipv4.ip_forward=1"],
    ]
    assert files["/etc/fstab"] == prerequisites.commented(FSTAB)


def test_says_the_same_in_check_mode_and_does_nothing(host, monkeypatch, capsys):
    files, commands = host
    result = run(monkeypatch, capsys, _ansible_check_mode=True)
    assert [line.split(" ", 1)[0] for line in result["done"]] == ["make", "turn", "leave", "mask", "load", "set"]
    assert (commands, files["/etc/fstab"]) == ([], FSTAB)


@pytest.mark.usefixtures("host")
def test_makes_the_folder_of_static_pods_once(monkeypatch, capsys, tmp_path):
    line = "make %s/kubernetes/manifests" % tmp_path
    assert line in run(monkeypatch, capsys, _ansible_check_mode=True)["done"]
    assert not (tmp_path / "kubernetes").exists()
    assert line in run(monkeypatch, capsys)["done"]
    assert (tmp_path / "kubernetes/manifests").stat().st_mode & 0o777 == 0o755
    assert line not in run(monkeypatch, capsys)["done"]


def test_refuses_a_container_with_swap(host, monkeypatch, capsys):
    monkeypatch.setattr(prerequisites, "is_container", lambda: True)
    assert "on the machine that it runs on" in run(monkeypatch, capsys)["msg"]
    assert host[1] == []
