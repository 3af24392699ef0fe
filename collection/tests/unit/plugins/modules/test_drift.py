"""What is told of a node and of a cluster that are not as they were brought; test/long/drift.test.ts changes real ones."""

import datetime
import os
from types import SimpleNamespace

import pytest
from ansible_collections.playsmith.host.plugins.module_utils import drift, kubernetes

NOW = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)


@pytest.fixture
def etc(tmp_path, monkeypatch):
    etc = tmp_path / "kubernetes"
    etc.mkdir()
    monkeypatch.setattr(drift, "ETC", str(etc))
    monkeypatch.setattr(drift, "KUBELET_KEYS", str(tmp_path / "kubelet"))
    monkeypatch.setattr(drift, "DATA", str(tmp_path / "etcd"))
    (tmp_path / "etcd").mkdir(mode=0o700)
    for path, mode in {
        "admin.conf": 0o600,
        "pki/ca.key": 0o600,
        "pki/ca.crt": 0o644,
        "manifests/etcd.yaml": 0o600,
        "../kubelet/kubelet-client-2026.pem": 0o600,
    }.items():
        file = etc / path
        file.parent.mkdir(exist_ok=True)
        file.write_text("")
        file.chmod(mode)
    return etc


@pytest.mark.skipif(os.getuid() != 0, reason="files are root's on a host")
@pytest.mark.parametrize(
    ("path", "mode", "says"),
    [
        ("pki/ca.key", 0o640, "has the mode 0640, not 0600: chmod 0600"),
        ("admin.conf", 0o644, "has the mode 0644, not 0600: chmod 0600"),
        ("pki/ca.crt", 0o666, "has the mode 0666, not 0644: chmod 0644"),
        ("manifests", 0o777, "has the mode 0777, not 0755: chmod 0755"),
        ("../kubelet/kubelet-client-2026.pem", 0o644, "has the mode 0644, not 0600: chmod 0600"),
        ("../etcd", 0o755, "has the mode 0755, not 0700: chmod 0700"),
    ],
)
def test_a_mode_that_lets_others_in_is_told_with_the_one_that_does_not(etc, path, mode, says):
    assert list(drift.modes()) == []
    (etc / path).chmod(mode)
    (line,) = drift.modes()
    assert says in line


def test_a_pod_that_nobody_brought_is_told(etc):
    (etc / "manifests/debug.yaml").write_text("")
    assert ["debug.yaml" in line for line in drift.foreign_pods()] == [True]


def test_a_control_plane_that_lost_its_keys_is_told_to_move_nothing(etc):
    (etc / "pki/ca.key").unlink()
    assert list(drift.foreign_pods()) == []


def test_a_static_pod_that_runs_with_other_arguments_than_its_manifest_says_is_told(monkeypatch):
    said = ["kube-scheduler", "--v=2", "--leader-elect=true"]
    monkeypatch.setattr(drift.static_pods, "Pod", lambda *_: SimpleNamespace(command=said))
    monkeypatch.setattr(drift.control_plane, "running", lambda _: [("id", 7), ("older", 8)])
    monkeypatch.setattr(drift.static_pods, "arguments_of", lambda _: list(said))
    assert list(drift.arguments("kube-scheduler")) == []
    monkeypatch.setattr(drift.static_pods, "arguments_of", lambda _: ["kube-scheduler", "--v=4", "--leader-elect=true"])
    lines = list(drift.arguments("kube-scheduler"))
    assert [line.endswith("(--v=2, --v=4): systemctl restart kubelet") for line in lines] == [True, True]


def test_taints_that_nobody_gave_here_are_told(monkeypatch):
    taints = [
        {"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"},
        {"key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule"},
        {"key": "dedicated", "value": "cnf", "effect": "NoSchedule"},
        {"key": "maintenance", "value": "yes", "effect": "NoExecute"},
    ]
    noted = {"1": '{"labels": [], "taints": ["dedicated:NoSchedule"]}', "2": "no JSON"}
    hidden = {"playsmith.dev/marks": '{"labels": [], "taints": ["maintenance:NoExecute"]}'}
    nodes = {
        "worker1": {"metadata": {"uid": "1", "annotations": hidden}, "spec": {"taints": taints}},
        "worker2": {"metadata": {"uid": "2"}, "spec": {}},
        "cp1": {"metadata": {"uid": "3"}, "spec": {}},
    }
    monkeypatch.setattr(drift, "registered", lambda: nodes)
    monkeypatch.setattr(kubernetes, "find", lambda *_: {"data": noted})
    (line,) = drift.taints()
    assert line.startswith("worker1 has the taint maintenance:NoExecute")
    assert line.endswith(": kubectl taint node worker1 maintenance:NoExecute-")


def test_certificates_are_told_before_they_end(etc, monkeypatch):
    (etc / "pki/apiserver.crt").write_text("")
    monkeypatch.setattr(drift, "output", lambda *_: "notAfter=Jan 20 00:00:00 2026 GMT\n")
    assert [line.rpartition("/")[2] for line in drift.certificates(NOW)] == [
        "apiserver.crt ends in 19 days: npx task rotate-certificates"
    ]
    monkeypatch.setattr(drift, "output", lambda *_: "notAfter=Dec 20 00:00:00 2026 GMT\n")
    assert list(drift.certificates(NOW)) == []


@pytest.mark.parametrize(
    ("wanted", "runs", "differs"),
    [
        ("110", 110, False),
        ("110", 90, True),
        ("2m", "2m0s", False),
        ("2m", "3m0s", True),
        ("true", True, False),
        ("false", True, True),
        ("0s", "10s", False),
        ('"x"', "x", False),
    ],
)
def test_a_kubelet_is_compared_with_the_configuration_of_the_cluster(monkeypatch, wanted, runs, differs):
    answer = '{"kubeletconfig": {"key": %s}}' % drift.json.dumps(runs)
    monkeypatch.setattr(drift, "kubectl", lambda *_: answer)
    assert bool(list(drift.kubelet("worker1", {"key": wanted, "other": "1"}))) == differs


@pytest.mark.parametrize("answer", ["", "[]", "7", '{"kubeletconfig": "key"}', '{"kubeletconfig": 7}', "[" * 100000])
def test_a_kubelet_that_answers_with_something_else_stops_nothing(monkeypatch, answer):
    monkeypatch.setattr(drift, "kubectl", lambda *_: answer)
    assert list(drift.kubelet("worker1", {"key": "1"})) == []


def test_kube_proxy_of_another_version_and_strangers_are_told(monkeypatch):
    proxy = {
        "spec": {"template": {"spec": {"containers": [{"image": "registry.k8s.io/kube-proxy:v1.36.3@sha256:abc"}]}}},
        "status": {"desiredNumberScheduled": 3, "numberReady": 2},
    }
    monkeypatch.setattr(drift, "read", lambda *_: proxy)
    assert len(list(drift.kube_proxy("1.37.2", 3))) == 2
    assert len(list(drift.kube_proxy("1.36.3", 3))) == 1
    monkeypatch.setattr(drift, "registered", lambda: {"cp1": {}, "old": {}})
    (line,) = drift.strangers(["cp1", "worker1"])
    assert line.startswith("old is registered")


@pytest.mark.parametrize(
    ("alarm", "mends"), [("NOSPACE", "run etcd-defragment"), ("CORRUPT", "heal-node"), ("ANOTHER", "verify")]
)
def test_each_alarm_of_etcd_is_told_with_what_mends_that(monkeypatch, alarm, mends):
    monkeypatch.setattr(drift.etcd, "alarms", lambda: [{"memberID": "255", "alarm": alarm}])
    assert list(drift.alarms()) == ["etcd has the alarm %s of ff: npx task %s" % (alarm, mends)]


def test_an_etcd_that_does_not_answer_has_no_alarm_to_tell(monkeypatch):
    def silent():
        raise OSError("refused")

    monkeypatch.setattr(drift.etcd, "alarms", silent)
    assert list(drift.alarms()) == []


def test_a_cluster_that_stops_to_answer_is_a_difference_and_no_traceback(tmp_path, monkeypatch):
    def silent(_cluster):
        raise kubernetes.Failure("kubectl get failed: it does not answer")

    monkeypatch.setattr(drift, "CONFIG", str(tmp_path))
    monkeypatch.setattr(drift, "PATIENCE", -1)
    monkeypatch.setattr(drift, "of_cluster", silent)
    assert drift.patiently_of_cluster(None) == ["kubectl get failed: it does not answer"]
