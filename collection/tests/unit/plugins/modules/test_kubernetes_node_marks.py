"""What of a node's marks is taken back, which an annotation of it says that its own kubelet may change."""

import pytest
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import MARKS
from ansible_collections.playsmith.host.plugins.modules.kubernetes_node_marks import patch_of

WANTS = {"labels": {"a": "1"}, "taints": []}


def node(note, **labels):
    return {"metadata": {"annotations": {MARKS: note}, "labels": labels}, "spec": {}}


def test_what_is_wanted_no_more_is_taken_back():
    patch = patch_of(node('{"labels": ["a", "b"], "taints": []}', a="1", b="2", c="3"), WANTS)
    assert patch["metadata"]["labels"] == {"b": None}


@pytest.mark.parametrize("note", ["no JSON", "[]", "{}", "null", '{"labels": 1}', "[" * 100000, '{"labels": [[]]}'])
def test_a_note_of_somebody_else_stops_nothing_and_takes_nothing_back(note):
    patch = patch_of(node(note, a="2", b="2"), WANTS)
    assert patch["metadata"]["labels"] == {"a": "1"}
    assert patch["metadata"]["annotations"] == {MARKS: '{"labels": ["a"], "taints": []}'}
