"""What differs in manifests and certificates; test/long/reconfigure.test.ts brings it to real control planes."""

import pytest
from ansible_collections.playsmith.host.plugins.module_utils import control_plane, host, static_pods
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure
from ansible_collections.playsmith.host.plugins.modules import control_plane_settings as settings

MADE = """    - etcd
    - --initial-advertise-peer-urls=https://10.0.0.12:2380
    - --initial-cluster=cp2=https://10.0.0.12:2380
    - --snapshot-count=10000
"""
JOINED = """    - etcd
    - --initial-advertise-peer-urls=https://10.0.0.12:2380
    - --initial-cluster=cp1=https://10.0.0.11:2380,cp2=https://10.0.0.12:2380
    - --initial-cluster-state=existing
    - --snapshot-count=10000
"""


def test_a_member_that_joined_does_not_restart_for_what_it_was_told_of_the_others():
    assert static_pods.with_members_of(JOINED, MADE) == JOINED
    assert static_pods.with_members_of(MADE, MADE) == MADE


def test_what_else_differs_in_it_does():
    wanted = static_pods.with_members_of(JOINED, MADE.replace("10000", "5000"))
    assert wanted == JOINED.replace("10000", "5000")


def test_names_of_other_control_planes_may_lack_and_those_of_kubeadm_may_be_there():
    there = {"cp1", "10.0.0.11", "kubernetes", "old.example.org"}
    names = ["cp1", "10.0.0.11", "cp2", "10.0.0.12", "API.example.org"]
    lacking, surplus = settings.differing_names(there, names, ["cp2", "10.0.0.12"], ["kubernetes"])
    assert (lacking, surplus) == (["api.example.org"], ["old.example.org"])


def test_an_address_is_the_same_in_every_spelling():
    assert settings.differing_names({"2001:db8::1"}, ["2001:DB8:0:0:0:0:0:1"], [], []) == ([], [])


def manifests(services="10.96.0.0/16", pods="10.244.0.0/16", prefix="", issuer="https://kubernetes.default.svc"):
    api = "    - kube-apiserver\n    - --service-account-issuer=%s\n%s" % (issuer, prefix)
    api += "    - --service-cluster-ip-range=%s\n" % services
    return {
        "kube-apiserver": api,
        "kube-controller-manager": "    - kube-controller-manager\n    - --cluster-cidr=%s\n" % pods,
        "kube-scheduler": "",
        "etcd": "",
    }


@pytest.mark.parametrize(
    ("other", "argument"),
    [
        ({"services": "10.97.0.0/16"}, "service-cluster-ip-range"),
        ({"pods": "10.245.0.0/16"}, "cluster-cidr"),
        ({"prefix": "    - --etcd-prefix=/other\n"}, "etcd-prefix"),
        ({"issuer": "https://other.example.org"}, "service-account-issuer"),
    ],
)
def test_what_nodes_and_services_keep_is_refused(other, argument):
    with pytest.raises(Failure, match=argument):
        settings.require_lasting(manifests(), manifests(**other))


@pytest.mark.parametrize(
    "other",
    [
        {"services": "10.96.0.0/16,fd00:10:97::/112"},
        {"pods": "10.244.0.0/16,fd00:10:245::/56"},
        {"pods": "fd00:10:244::/56,10.244.0.0/16"},
        {"pods": "10.244.0.0/16"},
    ],
)
def test_so_is_another_network_of_the_second_family(other):
    dual = {"services": "10.96.0.0/16,fd00:10:96::/112", "pods": "10.244.0.0/16,fd00:10:244::/56"}
    with pytest.raises(Failure, match=dual[next(iter(other))]):
        settings.require_lasting(manifests(**dual), manifests(**{**dual, **other}))


def test_the_same_network_in_another_spelling_is_not():
    settings.require_lasting(manifests(pods="FD00:10:244:0::/56"), manifests(pods="fd00:10:244::/56"))


@pytest.mark.parametrize(
    "text",
    [
        "    - --cluster-cidr=10.244.0.0/16,fd00::/56\n",
        '    - "--cluster-cidr=10.244.0.0/16,fd00::/56"\n',
        "    - --cluster-cidr\n    - 10.244.0.0/16,fd00::/56\n",
        '    command: ["kube-controller-manager", "--cluster-cidr=10.244.0.0/16,fd00::/56", "--v=2"]\n',
        '    command: ["kube-controller-manager", "--cluster-cidr", "10.244.0.0/16,fd00::/56"]\n',
    ],
)
def test_an_argument_is_read_to_its_end(text):
    assert host.first_match(control_plane.ARGUMENT % "cluster-cidr", text) == "10.244.0.0/16,fd00::/56"


def test_an_argument_ends_where_the_next_one_begins():
    assert host.first_match(control_plane.ARGUMENT % "v", "    command: [kube-apiserver,--v=2,--a=b]\n") == "2"


def test_what_stays_the_same_is_not():
    settings.require_lasting(manifests(), manifests(prefix="    - --v=2\n"))
    bare = {component: "" for component in manifests()}
    settings.require_lasting(bare, manifests())
