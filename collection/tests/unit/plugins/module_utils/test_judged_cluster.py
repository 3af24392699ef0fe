"""What a kubelet says of itself, which may be anything."""

import pytest
from ansible_collections.playsmith.host.plugins.module_utils.judged_cluster import of_nodes


@pytest.mark.parametrize(
    ("version", "says"),
    [("v1.36.2", []), ("v1.37.0", ["newer"]), ("v1.30.1", ["too old"]), ("", ["too old"]), ("v1", ["too old"])],
)
def test_versions_that_do_not_fit_are_told(version, says):
    node = {"metadata": {"name": "worker1"}, "status": {"nodeInfo": {"kubeletVersion": version}}}
    found = list(of_nodes({"minor": 36}, [node]))
    assert [words in line for words, line in zip(says, found)] == [True] * len(found)
    assert len(found) == len(says)
