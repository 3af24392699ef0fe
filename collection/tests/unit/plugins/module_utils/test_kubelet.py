"""What a kubelet is started with after a run that was cut; test/long/reconfigure.test.ts brings settings to real ones."""

import pytest
from ansible_collections.playsmith.host.plugins.module_utils import kubelet
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure

OLD, NEW = "cpuManagerPolicy: none\nmaxPods: 110\n", "cpuManagerPolicy: static\nmaxPods: 110\n"


class Node:
    """A kubelet that starts only under the policy by which its state was written, as the real one does."""

    def __init__(self, folder, monkeypatch):
        self.config, self.state = folder / "config.yaml", folder / "cpu_manager_state"
        self.before = folder / "kept.yaml"
        self.refused = ""
        monkeypatch.setattr(kubelet, "PATH", str(self.config))
        monkeypatch.setattr(kubelet, "BEFORE", str(self.before))
        monkeypatch.setattr(kubelet, "KEPT", str(folder))
        monkeypatch.setattr(kubelet, "STATES", {"cpuManagerPolicy": str(self.state)})
        monkeypatch.setattr(kubelet, "run", self.run)
        monkeypatch.setattr(kubelet, "ready", lambda *_: True)
        monkeypatch.setattr(kubelet, "wait", self.wait)
        monkeypatch.setattr(kubelet, "reason", lambda *_: "")

    def policy(self):
        return self.config.read_text().split("\n")[0].split(": ")[1]

    def run(self, *words):
        if words[1] == "start" and not self.state.exists():
            self.state.write_text(self.policy())

    def wait(self, *_):
        if self.state.read_text() != self.policy() or self.config.read_text() == self.refused:
            raise Failure("it ends again and again")


@pytest.fixture
def node(tmp_path, monkeypatch):
    return Node(tmp_path, monkeypatch)


def test_a_run_that_was_cut_before_the_state_was_forgotten_is_ended_by_the_next(node):
    node.before.write_text(OLD)
    node.config.write_text(NEW)
    node.state.write_text("none")
    kubelet.bring("w1", NEW, 1)
    assert (node.config.read_text(), node.state.read_text(), node.before.exists()) == (NEW, "static", False)


def test_what_does_not_start_is_taken_back_although_the_cut_run_had_its_state_written(node):
    node.before.write_text(OLD)
    node.config.write_text(NEW)
    node.state.write_text("static")
    node.refused = NEW
    with pytest.raises(Failure, match="It has its old settings again"):
        kubelet.bring("w1", NEW, 1)
    assert (node.config.read_text(), node.state.read_text()) == (OLD, "none")
