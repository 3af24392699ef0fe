"""What a control plane must keep, read out of its manifests; test/long/adoption/adopt.test.ts has a real one that is refused."""

import pytest
from ansible_collections.playsmith.host.plugins.module_utils import control_plane

ETCD = """spec:
  containers:
  - command:
    - etcd
    - --data-dir=/var/lib/etcd
    - --name=cp1
"""
SERVER = """spec:
  containers:
  - command:
    - kube-apiserver
    - --advertise-address=10.0.0.11
    - --secure-port=6443
"""
KEYS = "--encryption-provider-config"


@pytest.fixture
def manifests(monkeypatch, tmp_path):
    """Puts manifests where the kubelet reads them."""
    monkeypatch.setattr(control_plane, "MANIFESTS", "%s/" % tmp_path)

    def put(etcd=ETCD, server=SERVER):
        (tmp_path / "etcd.yaml").write_text(etcd)
        (tmp_path / "kube-apiserver.yaml").write_text(server)
        return control_plane.foreign_stores()

    return put


def test_what_kubeadm_and_the_playbooks_write_is_well_known(manifests):
    assert manifests() == []
    assert manifests(server=SERVER + "    - %s=/etc/kubernetes/playsmith/encryption.yaml\n" % KEYS) == []


def test_a_host_that_is_no_control_plane_keeps_nothing(monkeypatch, tmp_path):
    monkeypatch.setattr(control_plane, "MANIFESTS", "%s/" % tmp_path)
    assert control_plane.foreign_stores() == []


def test_a_manifest_that_a_power_cut_left_empty_says_nothing(manifests):
    assert manifests(etcd="", server="\n") == []


@pytest.mark.parametrize(
    "written",
    [
        "    - %s=/srv/keys.yaml\n",
        '    - "%s=/srv/keys.yaml"\n',
        "    - '%s=/srv/keys.yaml'\n",
        "    - %s\n    - /srv/keys.yaml\n",
        '    - "%s"\n    - "/srv/keys.yaml"\n',
    ],
)
def test_keys_of_somebody_else_are_found_however_the_argument_is_written(manifests, written):
    (problem,) = manifests(server=SERVER + written % KEYS)
    assert problem.startswith("kube-apiserver has %s=/srv/keys.yaml, and would lose" % KEYS)
    assert "store Secrets readable" in problem


def test_they_are_found_in_one_line_with_others(manifests):
    (problem,) = manifests(server='spec: {containers: [{command: ["kube-apiserver", "%s=/srv/k.yaml"]}]}\n' % KEYS)
    assert "%s=/srv/k.yaml" % KEYS in problem


def test_what_is_a_comment_is_no_argument(manifests):
    assert manifests(server=SERVER + "    # - %s=/srv/keys.yaml\n" % KEYS) == []


@pytest.mark.parametrize(
    "etcd",
    [
        ETCD.replace("/var/lib/etcd", "/data/etcd"),
        ETCD + "    - --wal-dir=/fast/wal\n",
        ETCD.replace("--data-dir", "--dir"),
    ],
)
def test_data_of_etcd_that_lie_elsewhere_stay_where_they_are(manifests, etcd):
    (problem,) = manifests(etcd=etcd)
    assert "stop etcd, move its " in problem


def test_a_restore_asks_about_etcd_alone(manifests):
    manifests(etcd=ETCD.replace("/var/lib/etcd", "/data/etcd"), server=SERVER + "    - %s=/srv/keys.yaml\n" % KEYS)
    (problem,) = control_plane.foreign_stores(["etcd"])
    assert problem.startswith("etcd has --data-dir=/data/etcd")


def test_the_api_server_is_asked_where_its_arguments_say(manifests):
    manifests()
    assert control_plane.api_url() == "https://10.0.0.11:6443"
