"""Who holds a port, on a host where anybody may call a program as they like."""

import contextlib
import hashlib
import shutil
import socket
import subprocess
import sys
import threading

import pytest
from ansible_collections.playsmith.host.plugins.module_utils import held_address
from ansible_collections.playsmith.host.plugins.modules import host_preflight

pytestmark = pytest.mark.skipif(shutil.which("ss") is None, reason="ss itself lists here")
PROGRAM = """import ctypes, socket, sys
ctypes.CDLL(None).prctl(15, %r, 0, 0, 0)
listening = socket.socket()
listening.bind(("127.0.0.1", 0))
listening.listen()
print(listening.getsockname()[1], flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def listener(name):
    """The port that a program of this name listens on."""
    words = [sys.executable, "-c", PROGRAM % name]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        yield child.stdout.readline().strip()
        child.stdin.close()


@pytest.fixture
def free():
    """A port that nobody listens on."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return str(bound.getsockname()[1])


def said(*ports):
    return list(host_preflight.strangers({port: ["haproxy"] for port in ports}))


@pytest.mark.parametrize("name", [b"\xff\xfe", b"a\nb", b'x" y', b"\nL 0 0 :%s "])
def test_a_program_elsewhere_holds_up_nobody_whatever_its_name_is(free, name):
    with listener(name.replace(b"%s", free.encode())):
        assert said(free) == []


@pytest.mark.parametrize("name", [b"\xff\xfe", b"a\nb", b"\nL 0 0 :1 "])
def test_one_at_a_port_of_the_cluster_is_told(name):
    with listener(name) as port:
        (problem,) = said(port)
        assert problem.startswith("port %s is taken by " % port)


def test_one_that_may_hold_it_is_no_stranger():
    with listener(b"haproxy") as port:
        assert said(port) == []


def test_an_address_on_two_interfaces_is_that_of_the_first_as_keepalived_has_it(monkeypatch):
    links = [{"ifname": name, "addr_info": [{"local": "192.0.2.11"}]} for name in ("lo", "eth0")]
    links.append({"ifname": "eth1", "addr_info": [{}, {"local": "fd00::11"}]})
    monkeypatch.setattr(host_preflight, "listed", lambda *_: links)
    assert host_preflight.interfaces() == {
        "192.0.2.11": held_address.interface_of("192.0.2.11", links),
        "fd00::11": "eth1",
    }
    assert host_preflight.interfaces()["192.0.2.11"] == "lo"


BLOCK = "# BEGIN machines of the cluster, by Playsmith\n192.0.2.11 cp1\n# END machines of the cluster, by Playsmith\n"
SUM = hashlib.sha256(b"192.0.2.11 cp1").hexdigest()


@pytest.mark.parametrize(
    ("text", "mode", "seen"),
    [
        ("127.0.0.1 localhost\n" + BLOCK + "192.0.2.99 other\n", 0o644, SUM),
        (BLOCK.rstrip(), 0o644, SUM),
        # Anybody may have written it, of two nobody knows which one holds, and one that is cut is none.
        (BLOCK, 0o666, ""),
        (BLOCK + BLOCK.replace("cp1", "cp2"), 0o644, ""),
        (BLOCK.partition("# END")[0], 0o644, ""),
        ("127.0.0.1 localhost\n", 0o644, ""),
    ],
)
def test_the_names_that_playsmith_wrote_are_summed(tmp_path, monkeypatch, text, mode, seen):
    path = tmp_path / "hosts"
    path.write_text(text)
    path.chmod(mode)
    monkeypatch.setattr(host_preflight.future_node, "HOSTS", str(path))
    assert host_preflight.future_node.names() == seen


def test_who_answers_is_asked_while_the_rest_is_looked_at(monkeypatch):
    asked = threading.Event()

    def holding(address, is_asked):
        asked.set()
        return {"address": address, "asked": is_asked}

    def seen(_wanted):
        assert asked.wait(10)
        return {"problems": []}

    monkeypatch.setattr(host_preflight, "holding", holding)
    monkeypatch.setattr(host_preflight, "seen", seen)
    found = host_preflight.examine({"virtual_address": "192.0.2.80"})
    assert found == {"problems": [], "virtual_address": {"address": "192.0.2.80", "asked": True}}
    assert host_preflight.examine({"virtual_address": ""}) == {"problems": []}
