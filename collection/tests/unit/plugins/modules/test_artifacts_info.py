import hashlib

import pytest
from ansible_collections.playsmith.host.plugins.modules import artifacts_info


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture
def artifacts(tmp_path):
    """A folder of artifacts, and the sum by which it was reviewed."""
    (tmp_path / "binaries").mkdir()
    for name in ("kubeadm", "kubelet"):
        (tmp_path / "binaries" / name).write_text(name)
    sums = "".join("%s  binaries/%s\n" % (digest(name), name) for name in ("kubeadm", "kubelet"))
    (tmp_path / "SHA256SUMS").write_text(sums)
    return str(tmp_path), digest(sums)


def test_says_what_hosts_should_have(artifacts):
    assert artifacts_info.verified(*artifacts, ["- binaries/kubeadm"]) == {"binaries/kubeadm": digest("kubeadm")}


def test_refuses_a_list_of_checksums_that_was_not_reviewed(artifacts):
    folder, sum_ = artifacts
    with pytest.raises(ValueError, match="has the sum %s, reviewed is cdcd" % sum_):
        artifacts_info.verified(folder, "cd" * 32, ["- binaries/kubeadm"])


def test_refuses_a_file_that_is_not_as_listed_but_only_where_somebody_lacks_it(artifacts, tmp_path):
    (tmp_path / "binaries/kubelet").write_text("tampered")
    held = digest("kubelet") + " binaries/kubelet"
    assert artifacts_info.verified(*artifacts, [held]) == {"binaries/kubelet": digest("kubelet")}
    with pytest.raises(ValueError, match=r"hold no binaries/absent; binaries/kubelet of .* has the sum") as refused:
        artifacts_info.verified(*artifacts, [held, "- binaries/kubelet", "- binaries/absent"])
    assert "sum %s, SHA256SUMS says %s" % (digest("tampered"), digest("kubelet")) in str(refused.value)


def test_says_which_folder_is_not_there(tmp_path):
    with pytest.raises(OSError, match="absent/SHA256SUMS"):
        artifacts_info.verified(str(tmp_path / "absent"), "ab" * 32, [])
