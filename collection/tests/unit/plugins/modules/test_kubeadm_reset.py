"""What of a host is found however odd the names are that others gave."""

from ansible_collections.playsmith.host.plugins.module_utils import release
from ansible_collections.playsmith.host.plugins.modules import kubeadm_reset

# What Python takes for the end of a line, and the kernel does not.
ODD = "/home/eve/a\x0bb\u2028c\x85"
MOUNTS = (
    "36 35 0:40 / %s rw,nosuid - fuse.sshfs eve@%s rw\n"
    "37 35 8:16 / /var/lib/kubelet/pods/a\\040b rw - xfs /dev/sdb rw\n"
    "38 35 8:17 / /var/lib/kubelet/pods/a\x85b rw - xfs /dev/sdc rw\n"
) % (ODD, ODD)


def test_what_is_mounted_below_a_folder_is_found(monkeypatch):
    monkeypatch.setattr(kubeadm_reset, "read", lambda _: MOUNTS)
    below = ["/var/lib/kubelet/pods/a\\040b", "/var/lib/kubelet/pods/a\x85b"]
    assert sorted(kubeadm_reset.mounts("/var/lib/kubelet")) == below
    assert kubeadm_reset.mounts("/var/lib/cni") == []


def test_the_kind_of_cgroups_is_found(monkeypatch):
    text = "eve@%s %s fuse.sshfs rw 0 0\ncgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n" % (ODD, ODD)
    monkeypatch.setattr(release, "read", lambda _: text)
    assert release.cgroup_kind() == "cgroup2"
    monkeypatch.setattr(release, "read", lambda _: "")
    assert release.cgroup_kind() == ""
