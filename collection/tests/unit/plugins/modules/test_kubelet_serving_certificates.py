"""
Which requests of kubelets are approved, and what is told of the others; openssl makes them, and serves as a kubelet would.
test/long/kubelets/kubelet-certificates.test.ts has real kubelets ask.
"""

import base64
import contextlib
import socket
import ssl
import subprocess
import threading

import pytest
from ansible_collections.playsmith.host.plugins.module_utils import serving_requests as requests
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure
from ansible_collections.playsmith.host.plugins.modules import kubelet_serving_certificates as module

NODES = {"w1": ["192.0.2.21", "2001:db8::21"], "w2": ["192.0.2.22"]}
OWN = "DNS:w1,IP:192.0.2.21,IP:2001:db8::21"
SUBJECT = "/O=system:nodes/CN=system:node:w1"


def openssl(*words):
    return subprocess.run(["openssl", *words], check=True, capture_output=True).stdout


@pytest.fixture(scope="module")
def key(tmp_path_factory):
    path = tmp_path_factory.mktemp("key") / "key.pem"
    openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", str(path))
    return str(path)


def asked(key, names=OWN, subject=SUBJECT, name="csr-1", **spec):
    more = ["-addext", "subjectAltName=" + names] if names else []
    text = openssl("req", "-new", "-key", key, "-subj", subject, *more)
    usual = {
        "username": "system:node:w1",
        "groups": ["system:nodes", "system:authenticated"],
        "usages": ["digital signature", "server auth"],
        "request": base64.b64encode(text).decode(),
    }
    return {"metadata": {"name": name}, "spec": {**usual, **spec}, "status": {}}


@pytest.mark.parametrize("names", [OWN, "DNS:w1,IP:192.0.2.21", "IP:192.0.2.21", "DNS:w1"])
@pytest.mark.parametrize("subject", [SUBJECT, "/CN=system:node:w1/O=system:nodes"])
def test_what_the_inventory_says_of_the_node_that_asks_is_approved(key, names, subject):
    assert requests.objection(asked(key, names, subject), NODES) == ""


@pytest.mark.parametrize(
    ("names", "says"),
    [
        ("DNS:w1,IP:192.0.2.22", "it is for 192.0.2.22, the inventory says"),
        ("DNS:w2", "it is for w2, the inventory says"),
        ("DNS:w1.example.org", "it is for w1.example.org"),
        ("DNS:*", "it is for *"),
        ("DNS:w1,URI:spiffe://w1", "it is for None"),
        ("DNS:w1,email:w1@example.org", "it is for None"),
        ("DNS:w1,otherName:1.2.3.4;UTF8:w1", "it is for None"),
        ("DNS:w1,dirName:other", "it cannot be read"),
        ("", "no name that could be read"),
    ],
)
def test_other_names_are_not(key, names, says):
    if "dirName" in names:
        spoiled = asked(key)
        spoiled["spec"]["request"] = base64.b64encode(b"-----BEGIN CERTIFICATE REQUEST-----\n").decode()
        assert says in requests.objection(spoiled, NODES)
    else:
        assert says in requests.objection(asked(key, names), NODES)


def test_a_name_with_the_end_of_a_line_in_it_hides_no_other_one(key, tmp_path):
    lines = ["[req]", "distinguished_name=subject", "req_extensions=asked", "prompt=no", "[subject]", "O=system:nodes"]
    lines += ["CN=system:node:w1", "[asked]", "subjectAltName=@names", "[names]", "DNS.1=w1\\nx"]
    (tmp_path / "asked").write_text("\n".join([*lines, "DNS.2=kubernetes.default.svc", "IP.1=10.96.0.1"]))
    text = openssl("req", "-new", "-key", key, "-config", str(tmp_path / "asked"))
    request = asked(key, request=base64.b64encode(text).decode())
    says = "it is for 10.96.0.1, kubernetes.default.svc, w1\\nx, the inventory says"
    assert requests.objection(request, NODES).startswith(says)


@pytest.mark.parametrize("around", [(b"", b"%s"), (b"%s", b""), (b"x\n", b""), (b"", b"x\n")])
def test_what_stands_around_a_request_is_read_by_nobody(key, around):
    other = base64.b64decode(asked(key, "DNS:w2")["spec"]["request"])
    before, after = (part.replace(b"%s", other) for part in around)
    text = before + base64.b64decode(asked(key)["spec"]["request"]) + after
    request = asked(key, request=base64.b64encode(text).decode())
    assert requests.objection(request, NODES) == "it cannot be read: it is not one block of PEM"


@pytest.mark.parametrize(
    ("subject", "says"),
    [
        ("/O=system:nodes/CN=system:node:w2", "it is for CN=system:node:w2"),
        ("/O=system:masters/CN=system:node:w1", "it is for CN=system:node:w1,O=system:masters"),
        ("/O=system:nodes/O=system:masters/CN=system:node:w1", "it is for CN=system:node:w1,O=system:masters"),
        ("/CN=system:node:w1", "it is for CN=system:node:w1"),
    ],
)
def test_nor_are_other_subjects(key, subject, says):
    assert says in requests.objection(asked(key, subject=subject), NODES)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ({"username": "system:node:w3"}, "system:node:w3 asks, which is no node of the inventory"),
        ({"username": "system:serviceaccount:default:w1"}, "which is no node of the inventory"),
        ({"groups": ["system:authenticated"]}, "which is no node of the inventory"),
        ({"username": "system:node:w2"}, "it is for CN=system:node:w1"),
        ({"usages": ["digital signature", "client auth"]}, "it is for digital signature, client auth"),
        ({"usages": ["digital signature", "server auth", "client auth"]}, "client auth"),
    ],
)
def test_nor_who_asks_for_another_one_or_for_more(key, spec, says):
    assert says in requests.objection(asked(key, **spec), NODES)


def test_a_name_in_an_attribute_is_not_taken_for_one_of_the_certificate(key, tmp_path):
    settings = tmp_path / "openssl.cnf"
    settings.write_text(
        "[req]\nprompt = no\ndistinguished_name = name\nattributes = more\nreq_extensions = names\n"
        "[name]\nO = system:nodes\nCN = system:node:w1\n[names]\nsubjectAltName = DNS:other\n"
        "[more]\nunstructuredName = X509v3 Subject Alternative Name: DNS:w1\n"
    )
    text = openssl("req", "-new", "-key", key, "-config", str(settings))
    request = asked(key, request=base64.b64encode(text).decode())
    assert "it is for other" in requests.objection(request, NODES)


@pytest.fixture
def authority(key, tmp_path):
    path = tmp_path / "ca.crt"
    openssl("req", "-x509", "-new", "-key", key, "-subj", "/CN=kubernetes", "-days", "10", "-out", str(path))
    return str(path)


@contextlib.contextmanager
def serving(key, tmp_path, days, signed):
    """A kubelet: its port."""
    request, certificate = tmp_path / "k.csr", tmp_path / "k.crt"
    openssl("req", "-new", "-key", key, "-subj", SUBJECT, "-out", str(request))
    names = tmp_path / "names"
    names.write_text("subjectAltName=DNS:w1,IP:127.0.0.1\n")
    more = ("-extfile", str(names), "-days", str(days), "-out", str(certificate))
    by = ("-CA", signed, "-CAkey", key, "-set_serial", "2") if signed else ("-signkey", key)
    openssl("x509", "-req", "-in", str(request), *by, *more)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(str(certificate), key)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer():
            with contextlib.suppress(OSError), context.wrap_socket(server.accept()[0], server_side=True) as channel:
                channel.recv(1)

        thread = threading.Thread(target=answer)
        thread.start()
        yield server.getsockname()[1]
        thread.join(5)


def test_a_certificate_of_the_cluster_is_told_with_its_days(key, authority, tmp_path):
    with serving(key, tmp_path, 9, authority) as port:
        assert requests.fault("127.0.0.1", authority, port) == ("", 8)


def test_one_of_the_kubelet_itself_is_a_fault(key, authority, tmp_path):
    with serving(key, tmp_path, 9, "") as port:
        why, days = requests.fault("127.0.0.1", authority, port)
        assert "self" in why and days == 0


GIVEN = {"state": "approved", "nodes": NODES, "meant": ["w1", "w2"], "seconds": 0}


@pytest.fixture
def cluster(monkeypatch, tmp_path):
    """What the API server knows, and what kubelets serve with: node to what is wrong with it."""
    config = tmp_path / "admin.conf"
    config.write_text("")
    monkeypatch.setattr(module, "CONFIG", str(config))
    known = {"pending": [], "faults": {}, "days": 300, "approved": [], "silent": []}

    def node(name):
        state = "Unknown" if name in known["silent"] else "False"
        return {"metadata": {"name": name}, "status": {"conditions": [{"type": "Ready", "status": state}]}}

    def kubectl(*words):
        known["approved"].append(words[-1])
        known["pending"] = [each for each in known["pending"] if each["metadata"]["name"] != words[-1]]
        known["faults"].pop("w1", None)

    monkeypatch.setattr(module, "pending", lambda: known["pending"])
    monkeypatch.setattr(module, "items", lambda _: [node("w1"), node("w2"), node("stranger")])
    names = {addresses[0]: name for name, addresses in NODES.items()}
    monkeypatch.setattr(module, "fault", lambda address: (known["faults"].get(names[address], ""), known["days"]))
    monkeypatch.setattr(module, "kubectl", kubectl)
    return known


def test_requests_are_approved_until_the_kubelets_serve(cluster, key):
    cluster["pending"], cluster["faults"] = [asked(key)], {"w1": "no certificate"}
    assert module.settle(GIVEN, False) == (True, ["approved csr-1 of w1"], {"notices": []})
    assert cluster["approved"] == ["csr-1"]
    assert module.settle(GIVEN, False) == (False, [], {"notices": []})


def test_one_that_is_not_approved_is_the_reason_of_a_kubelet_that_does_not_serve(cluster, key):
    cluster["pending"], cluster["faults"] = [asked(key, "DNS:other")], {"w1": "no certificate"}
    with pytest.raises(
        Failure, match=r"kubelet of w1 does not serve .* csr-1 of system:node:w1 is not approved: it is for other"
    ):
        module.settle(GIVEN, False)
    assert cluster["approved"] == []


def test_strangers_are_told_and_left_alone(cluster, key):
    cluster["pending"] = [asked(key, username="system:node:stranger")]
    changed, _, more = module.settle(GIVEN, False)
    assert not changed and "no node of the inventory" in more["notices"][0]
    assert cluster["approved"] == []


def test_a_node_whose_kubelet_tells_nothing_is_not_waited_for(cluster):
    cluster["faults"], cluster["silent"] = {"w1": "timed out"}, ["w1"]
    assert module.settle(GIVEN, False)[0] is False


def test_check_mode_says_what_would_be_approved(cluster, key):
    cluster["pending"] = [asked(key)]
    assert module.settle(GIVEN, True)[:2] == (True, ["would approve csr-1 of w1"])
    assert cluster["approved"] == []


def test_a_look_fails_for_what_is_served_and_tells_what_waits(cluster, key):
    look = {**GIVEN, "state": "served"}
    assert module.settle(look, False) == (False, [], {"notices": []})
    cluster["pending"], cluster["days"] = [asked(key)], 20
    notices = module.settle(look, False)[2]["notices"]
    assert "ends in 20 days: npx task rotate-certificates" in notices[0]
    assert "the kubelet of w1 waits for the certificate" in notices[-1]
    cluster["faults"] = {"w2": "self-signed certificate"}
    with pytest.raises(Failure, match="w2 does not serve with a certificate of the cluster: self-signed"):
        module.settle(look, False)
    changed, rows, _ = module.settle(look, True)
    assert changed and len(rows) == 3


def test_a_host_without_a_cluster_is_left_alone(cluster, monkeypatch):
    monkeypatch.setattr(module, "CONFIG", "/nonexistent")
    cluster["faults"] = {"w1": "no certificate"}
    assert module.settle(GIVEN, False) == (False, [], {"notices": []})
