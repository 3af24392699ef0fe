import hashlib
import shutil
import subprocess

import pytest
from ansible_collections.playsmith.host.plugins.modules import kubernetes_packages_info as packages

PROGRAMS = ("kubeadm", "kubectl", "kubelet", "crictl")
WANTED = {"packages": [], "settings": {}, "artifacts": True, "plugins": False, "sums": {}}


@pytest.fixture
def host(tmp_path, monkeypatch):
    """A host whose programs say one version, and note each time that they are asked."""
    (tmp_path / "kept").mkdir()
    (tmp_path / "asked").write_text("")
    monkeypatch.setattr(packages, "FOLDER", str(tmp_path))
    monkeypatch.setattr(packages, "MEMORY", str(tmp_path / "kept" / "programs.json"))
    for name in PROGRAMS:
        put(tmp_path, name, "1.20.2")
    return tmp_path


def put(host, name, version):
    (host / name).write_text('#!/bin/sh\nprintf . >> %s/asked\necho "Kubernetes v%s"\n' % (host, version))
    (host / name).chmod(0o755)


def look(remembers=True, **more):
    return packages.found({**WANTED, **more}, remembers)


def asked(host):
    return len((host / "asked").read_text())


def sum_of(host, name):
    return hashlib.sha256((host / name).read_bytes()).hexdigest() + " binaries/" + name


def test_is_found_out_once_and_again_when_a_file_changes(host):
    first = look()
    assert first["versions"] == {"kubeadm": "1.20.2", "kubectl": "1.20.2", "kubelet": "1.20.2"}
    assert sorted(first["artifacts"]) == sorted(sum_of(host, name) for name in PROGRAMS)
    before = asked(host)
    assert look() == first
    assert asked(host) == before
    put(host, "kubelet", "1.20.3")
    assert look()["versions"]["kubelet"] == "1.20.3"
    assert sum_of(host, "kubelet") in look()["artifacts"]
    with (host / "crictl").open("a") as file:
        file.write("# by hand\n")
    assert sum_of(host, "crictl") in look()["artifacts"]


def test_is_neither_believed_nor_written_down_in_check_mode(host):
    look(remembers=False)
    assert not (host / "kept" / "programs.json").exists()
    look()
    before = asked(host)
    look(remembers=False)
    assert asked(host) == before + 3


def test_is_what_was_put_there_just_now_and_nothing_of_what_is_not_there(host):
    assert "f" * 64 + " binaries/kubelet" in look(sums={"binaries/kubelet": "f" * 64})["artifacts"]
    (host / "kept" / "programs.json").write_text("cut of")
    (host / "kubectl").unlink()
    found = look()
    assert found["versions"]["kubectl"] == ""
    assert "- binaries/kubectl" in found["artifacts"]


def test_a_kubelet_whose_program_a_run_replaced_before_it_was_cut_is_stale(host, monkeypatch):
    monkeypatch.setattr(packages, "MEMBER", str(host / "kubelet"))
    shutil.copy("/bin/sleep", host / "kubelet")
    with subprocess.Popen([host / "kubelet", "60"]) as process:
        monkeypatch.setattr(packages, "program_of", lambda _: "/proc/%d/exe" % process.pid)
        monkeypatch.setattr(packages, "is_unread", lambda *_: False)
        assert not look()["stale"]
        (host / "new").write_text("")
        (host / "new").rename(host / "kubelet")
        assert look()["stale"]
        process.kill()


def test_so_is_one_that_was_started_before_its_settings_were_written(host, monkeypatch):
    monkeypatch.setattr(packages, "MEMBER", str(host / "kubelet"))
    monkeypatch.setattr(packages, "program_of", lambda _: "/proc/self/exe")
    monkeypatch.setattr(packages, "is_unread", lambda _, path: path == "/etc/systemd/system/kubelet.service")
    assert look(settings={"systemd/system/kubelet.service": ""})["stale"]
    assert not look(settings={"crictl.yaml": ""})["stale"]
    monkeypatch.setattr(packages, "program_of", lambda _: "")
    assert not look(settings={"systemd/system/kubelet.service": ""})["stale"]


def test_one_that_ended_while_it_was_looked_at_is_not(host, monkeypatch):
    monkeypatch.setattr(packages, "MEMBER", str(host / "kubelet"))
    monkeypatch.setattr(packages, "program_of", lambda _: "/proc/0/exe")
    assert not look()["stale"]


@pytest.mark.parametrize("record", ["%s", "%s\n", "%s archives/cni-plugins.tgz\n"])
def test_knows_the_plugins_that_this_and_earlier_bundles_unpacked(host, record, monkeypatch):
    monkeypatch.setattr(packages, "PORTMAP", str(host / "portmap"))
    (host / "kept" / "cni-plugins.sha256").write_text(record % ("f" * 64))
    assert "- archives/cni-plugins.tgz" in look(plugins=True)["artifacts"]
    (host / "portmap").touch()
    assert "f" * 64 + " archives/cni-plugins.tgz" in look(plugins=True)["artifacts"]
    (host / "kept" / "cni-plugins.sha256").unlink()
    assert "- archives/cni-plugins.tgz" in look(plugins=True)["artifacts"]
