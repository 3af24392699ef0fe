"""What kubectl prints of a CNF."""

import os

import pytest
from ansible_collections.playsmith.host.plugins.module_utils import cnf_client
from ansible_collections.playsmith.host.plugins.module_utils.cnf_reasons import log_lines


@pytest.fixture
def admin(tmp_path, monkeypatch):
    """An administrator whose kubectl prints what a container wrote that knows no UTF-8."""
    program = tmp_path / "kubectl"
    program.write_text("#!/bin/sh\nprintf 'caf\\351\\n\\033[2Jdone\\n'\n")
    program.chmod(0o755)
    monkeypatch.setitem(cnf_client.ENVIRONMENT, "PATH", "%s:%s" % (tmp_path, os.environ["PATH"]))
    monkeypatch.setenv("PATH", cnf_client.ENVIRONMENT["PATH"])
    return cnf_client.Client("/dev/null", "playsmith-amf")


def test_logs_that_are_no_text_are_told_all_the_same(admin):
    state = {"running": {"startedAt": "now"}}
    pod = {"metadata": {"name": "amf"}, "status": {"containerStatuses": [{"name": "web", "state": state}]}}
    assert list(log_lines(admin, "core", [pod])) == ["log of amf/web: caf\ufffd", "log of amf/web:  [2Jdone"]
