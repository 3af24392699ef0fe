"""What is told of a containerd that serves nobody, or starts nothing. test/long/live.test.ts has a real one."""

import os
import stat

import pytest
from ansible_collections.playsmith.host.plugins.modules import pod_sandbox as module

CRICTL = """#!/bin/sh
echo "$@" >> {folder}/calls
shift 3
case $1 in
  info) {info} ;;
  pods) cat {folder}/left 2>/dev/null; : > {folder}/left ;;
  runp) {runp} ;;
esac
"""
LOG = 'time="2026-11-26T12:00:00Z" level=fatal msg="run pod sandbox: rpc error: code = Unknown desc = failed to start: no runtime"'


@pytest.fixture
def problem_with(tmp_path, monkeypatch):
    def made(info=":", runp="echo made"):
        path = tmp_path / "crictl"
        path.write_text(CRICTL.format(folder=tmp_path, info=info, runp=runp))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setattr(module, "SEARCH", "%s:%s" % (tmp_path, os.environ["PATH"]))
        return module.problem(1)

    return made


def calls(tmp_path):
    return [line.split()[3:5] for line in (tmp_path / "calls").read_text().splitlines()]


def test_a_containerd_that_starts_containers_is_left_as_it_was(problem_with, tmp_path):
    assert problem_with(runp="echo 4711; echo 4711 > %s/left" % tmp_path) == ""
    assert [words[0] for words in calls(tmp_path)] == ["info", "pods", "runp", "pods", "rmp"]


def test_what_an_interrupted_run_left_goes_first(problem_with, tmp_path):
    (tmp_path / "left").write_text("0815\n")
    assert problem_with() == ""
    assert calls(tmp_path)[2] == ["rmp", "--force"]


def test_a_containerd_that_starts_none_is_told_with_its_reason(problem_with, tmp_path):
    told = problem_with(runp="echo '%s' >&2; exit 1" % LOG)
    assert told.startswith("containerd starts no container: failed to start: no runtime: put its settings right")
    assert calls(tmp_path)[-1][0] == "pods"


def test_a_containerd_that_does_not_answer_is_told_after_a_while(problem_with):
    told = problem_with(info="echo connection refused >&2; exit 1")
    assert told == "containerd does not serve the kubelet: connection refused: journalctl --unit containerd"
