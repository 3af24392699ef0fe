"""What differs in a kubelet's configuration; test/long/reconfigure.test.ts brings it to real ones."""

import pytest
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure
from ansible_collections.playsmith.host.plugins.modules import kubelet_settings as settings

PRESENT = """apiVersion: kubelet.config.k8s.io/v1beta1
clusterDNS:
- 10.96.0.10
kind: KubeletConfiguration
maxPods: 110
resolvConf: /run/systemd/resolve/resolv.conf
"""


def test_fields_are_found_with_all_their_lines():
    assert settings.blocks(PRESENT)["clusterDNS"] == "clusterDNS:\n- 10.96.0.10\n"
    assert settings.differing(PRESENT, PRESENT.replace("10.96.0.10", "10.97.0.10")) == ["clusterDNS"]
    assert settings.differing(PRESENT, PRESENT) == []


def test_a_field_that_is_gone_and_one_that_is_new_differ():
    assert settings.differing(PRESENT, PRESENT.replace("maxPods: 110", "podsPerCore: 10")) == ["maxPods", "podsPerCore"]


def test_a_worker_keeps_the_resolver_that_kubeadm_found_on_it_and_has_none_that_was_found_elsewhere():
    elsewhere = PRESENT.replace("resolvConf: /run/systemd/resolve/resolv.conf\n", "")
    assert settings.with_own(elsewhere, PRESENT, ["resolvConf"]) == PRESENT
    assert settings.with_own(PRESENT, elsewhere, ["resolvConf"]) == elsewhere
    assert settings.with_own(PRESENT, elsewhere, []) == PRESENT


def test_a_node_is_emptied_for_policies_and_for_fewer_pods_alone():
    def emptied(wanted):
        return settings.emptied_for(PRESENT, wanted, ["cpuManagerPolicy"], {"maxPods": 110})

    assert emptied(PRESENT + "cpuManagerPolicy: static\n") == ["cpuManagerPolicy"]
    assert emptied(PRESENT.replace("110", "50")) == ["maxPods"]
    assert emptied(PRESENT.replace("110", "200")) == []
    assert emptied(PRESENT.replace("maxPods: 110\n", "")) == []


def test_a_worker_is_told_nothing_when_no_control_plane_said_what():
    with pytest.raises(Failure, match="the control planes have to be brought first"):
        settings.wanted_of({"configuration": None, "text": "", "kept": ["resolvConf"]}, PRESENT)


def test_a_kubelet_that_kubeadm_led_to_containerd_below_var_run_is_left_there(monkeypatch):
    ours = PRESENT.replace("kind:", "containerRuntimeEndpoint: unix:///run/containerd/containerd.sock\nkind:")
    theirs = ours.replace("unix:///run", "unix:///var/run")
    monkeypatch.setattr(settings, "made", lambda *_: {"config.yaml": ours})
    for given in ({"configuration": "x", "text": None, "kept": []}, {"configuration": None, "text": ours, "kept": []}):
        assert settings.wanted_of(given, theirs) == theirs
        assert settings.wanted_of(given, ours) == ours
        assert settings.wanted_of(given, theirs.replace("containerd/", "other/")) == ours


def test_what_the_host_runs_with_is_kept_only_for_who_asks_for_it(tmp_path):
    path = str(tmp_path / "playsmith" / "kubeadm.yaml")
    assert settings.is_recorded({"record": None, "configuration": "one\n"})
    asked = {"record": path, "configuration": "one\n"}
    assert not settings.is_recorded(asked)
    settings.keep(asked)
    assert settings.is_recorded(asked) and not settings.is_recorded({**asked, "configuration": "two\n"})
    assert (tmp_path / "playsmith").stat().st_mode & 0o7777 == 0o700
    assert (tmp_path / "playsmith" / "kubeadm.yaml").stat().st_mode & 0o7777 == 0o600
