"""What of a host is behind; test/long/upgrade/upgrade.test.ts upgrades real ones."""

import pytest
from ansible_collections.playsmith.host.plugins.modules import kubernetes_upgrade as upgrade


@pytest.fixture
def worker(monkeypatch):
    """A worker whose kubelet has one version on the disk and another one in memory."""

    def has(disk, running):
        versions = {"kubelet": disk, "/proc/7/exe": running, "": ""}
        monkeypatch.setattr(upgrade, "output", lambda program, _: "Kubernetes v%s\n" % versions[program])
        monkeypatch.setattr(upgrade, "program_of", lambda _: "/proc/7/exe" if running else "")
        return upgrade.examine({"version": "1.35.2", "release": {}})[2]["behind"]

    monkeypatch.setattr(upgrade.control_plane, "has", lambda _component: False)
    return has


def test_a_worker_is_behind_until_its_kubelet_was_restarted(worker):
    assert worker("1.35.2", "1.34.4") == ["the running kubelet"]
    assert worker("1.34.4", "1.34.4") == ["kubelet", "the running kubelet"]
    assert worker("1.35.2", "1.35.2") == []


def test_one_that_does_not_run_is_judged_by_the_disk(worker):
    assert worker("1.34.4", "") == ["kubelet"]
    assert worker("1.35.2", "") == []
