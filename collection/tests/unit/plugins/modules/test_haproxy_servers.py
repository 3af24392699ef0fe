"""What HAProxy is told when nodes come and go; test/long/load-balancers/external-load-balancer.test.ts tells a real one of 2.6."""

import pytest
from ansible_collections.playsmith.host.plugins.modules import haproxy_servers

CONFIGURATION = """global
  description one
backend web
  default-server check
  server worker1 192.0.2.21:30080
  server worker2 192.0.2.22:30080
"""
STATE = """1
# be_id be_name srv_id srv_name srv_addr srv_admin_state srv_port
4 web 1 worker1 192.0.2.21 0 30080
4 web 2 worker9 192.0.2.29 0 30080
"""


@pytest.fixture
def haproxy(tmp_path, monkeypatch):
    """A HAProxy with another server than its configuration has; what it was told, and whether it was reloaded."""
    (tmp_path / "haproxy.cfg").write_text(CONFIGURATION)
    monkeypatch.setattr(haproxy_servers, "CONFIGURATION", str(tmp_path / "haproxy.cfg"))

    def of(version):
        told = []

        def ask(command):
            told.append(command)
            if command == "show info":
                return "Name: HAProxy\nVersion: %s\ndescription: one" % version
            answers = {"add": "New server registered.", "del": "Server deleted.", "show servers state": STATE}
            return answers.get(command, answers.get(command[:3], ""))

        monkeypatch.setattr(haproxy_servers, "ask", ask)
        monkeypatch.setattr(haproxy_servers, "connections", dict)
        monkeypatch.setattr(haproxy_servers, "reload", lambda *_: told.append("reload"))
        return haproxy_servers.apply(1, False), told

    return of


@pytest.mark.parametrize("version", ["2.6.12-1+deb12u3", "2.9.5", "3.0.11-1", "10.1"])
def test_servers_come_and_go_while_it_runs(haproxy, version):
    said, told = haproxy(version)
    assert said == ["web/worker2 is added", "web/worker9 is removed"]
    assert "add server web/worker2 192.0.2.22:30080 check" in told
    assert "reload" not in told


@pytest.mark.parametrize("version", ["2.4.24-0ubuntu0.22.04.2", "2.5.14"])
def test_one_that_cannot_do_that_is_reloaded_once_those_that_go_have_no_connections(haproxy, version):
    said, told = haproxy(version)
    assert said == ["HAProxy is reloaded"]
    assert not any(command.startswith(("add", "del")) for command in told)
    assert told.index("set server web/worker9 state drain") < told.index("reload")
