"""Who holds a port, on a host where anybody may call a program as they like."""

import contextlib
import shutil
import socket
import subprocess
import sys

import pytest
from ansible_collections.playsmith.host.plugins.modules import address_info, host_preflight

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
    monkeypatch.setattr(host_preflight.future_node, "listed", lambda *_: links)
    assert host_preflight.interfaces() == {
        "192.0.2.11": address_info.interface_of("192.0.2.11", links),
        "fd00::11": "eth1",
    }
    assert host_preflight.interfaces()["192.0.2.11"] == "lo"
