#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: etcd_snapshot
short_description: Takes a snapshot of etcd, or restores etcd from one
version_added: 0.1.0
description:
  - Works with the program of the image that the etcd of this host runs from.
options:
  state:
    description:
      - V(taken) takes a verified snapshot into C(/var/lib/playsmith-snapshot), which only O(user) can read, with a file
        C(SHA256SUMS) beside it, and C(snapshot.json) with its revision.
      - V(restorable) changes nothing, and finds every reason why O(size) bytes could not be restored here.
      - V(restored) moves the data of etcd aside, and restores it from O(path), while nothing of the control plane runs. Data
        that came from the same snapshot and was never started is kept.
    type: str
    choices: [taken, restorable, restored]
    required: true
  user:
    description: Who fetches the snapshot.
    type: str
    default: root
  authorities:
    description: Whether the keys of the certificate authorities are brought as well.
    type: bool
    default: false
  size:
    description: The size of the snapshot that shall be restored, in bytes.
    type: int
    default: 0
  path:
    description: The snapshot on this host.
    type: path
    default: /var/lib/playsmith-restore.db
  checksum:
    description: Its SHA-256 in hexadecimal.
    type: str
    default: ""
  name:
    description: The name of the member.
    type: str
    default: ""
  peers:
    description: Every member by its name, and the URL where the others reach it.
    type: dict
    default: {}
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Take a snapshot
  playsmith.host.etcd_snapshot:
    state: taken
    user: operator
"""

RETURN = r"""
done: {description: "What was done, or would be in check mode, one line each.", type: list, elements: str, returned: success}
problems: {description: Every reason not to restore., type: list, elements: str, returned: success}
authorities:
  description: The checksum of the keys that the host has. A snapshot is of use to hosts with the same keys alone.
  type: str
  returned: when O(state=restorable)
"""

import glob
import hashlib
import os
import shutil
import time

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils import control_plane, etcd
from ansible_collections.playsmith.host.plugins.module_utils.host import digest, read, write
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure, answer, run

FOLDER = "/var/lib/playsmith-snapshot"
DATA = "/var/lib/etcd/"
PKI = "/etc/kubernetes/pki/"
MARK = DATA + "playsmith-restored"


def remove(*paths):
    for path in paths:
        if os.path.isdir(path):
            shutil.rmtree(path)
        elif os.path.lexists(path):
            os.unlink(path)


def take(given):
    taken = DATA + "playsmith-snapshot.db"
    remove(FOLDER, taken, taken + ".part")
    try:
        etcd.client("snapshot", "save", taken)
        # Fails when the checksum that etcd put into the snapshot is not that of its content.
        status = etcd.offline("snapshot", "status", taken, "--write-out", "json")
        os.mkdir(FOLDER, 0o700)
        shutil.move(taken, FOLDER + "/snapshot.db")
        write(FOLDER + "/snapshot.json", status)
    finally:
        remove(taken, taken + ".part")
    if given["authorities"]:
        kinds = ("etcd/ca", "front-proxy-ca", "ca", "sa")
        keys = [path for each in kinds for path in glob.glob(PKI + each + ".*")]
        names = [os.path.relpath(path, PKI) for path in keys if path.endswith((".crt", ".key", ".pub"))]
        run("tar", "--create", "--file", FOLDER + "/snapshot.pki.tar", "--directory", PKI, *names)
    names = sorted(os.listdir(FOLDER))
    write(FOLDER + "/SHA256SUMS", "".join("%s *%s\n" % (digest(os.path.join(FOLDER, name)), name) for name in names))
    for name in ["", "SHA256SUMS", *names]:
        os.chmod(os.path.join(FOLDER, name), 0o600 if name else 0o700)
        shutil.chown(os.path.join(FOLDER, name), given["user"])
    return ["took a snapshot"]


def problems(size):
    files = [control_plane.MANIFESTS + each + ".yaml" for each in control_plane.COMPONENTS]
    keys = [PKI + each + ".key" for each in ("ca", "sa", "etcd/ca", "etcd/peer", "etcd/server")]
    for path in [*files, "/etc/kubernetes/admin.conf", *keys]:
        if not os.path.isfile(path) or os.path.getsize(path) == 0:
            yield "there is no " + path
    image = etcd.image()
    if image and image not in run(*control_plane.CTR, "images", "list", "--quiet").split():
        yield "containerd has no image " + image
    yield from control_plane.foreign_stores(["etcd"])
    free = shutil.disk_usage("/var/lib").free
    # One copy as it was taken, one restored.
    if free <= 2 * size:
        yield "below /var/lib are %d bytes free, %d are needed" % (free, 2 * size)


def authorities():
    """Everything in a snapshot is signed for the cluster's own authorities: another cluster cannot read it."""
    sums = [digest(PKI + each) for each in ("ca.crt", "etcd/ca.crt", "sa.pub")]
    return hashlib.sha256("\n".join(sums).encode()).hexdigest()


def set_aside():
    if os.path.exists(MARK):
        # Restored from another snapshot and never started: nobody misses it. The mark says of whole data alone.
        remove(MARK, DATA + "member")
    elif os.path.exists(DATA + "member"):
        old = time.strftime(DATA + "before-%Y%m%dT%H%M%SZ", time.gmtime())
        os.mkdir(old, 0o700)
        os.rename(DATA + "member", old + "/member")
        return ["the old data lies in " + old]
    return []


def help_of(*words):
    """etcdctl ends with a failure after its help."""
    try:
        return etcd.offline(*words, "--help")
    except Failure as said:
        return str(said)


def restore(given):
    checksum, name, peers = given["checksum"], given["name"], given["peers"]
    if read(MARK).strip() == checksum and os.path.isdir(DATA + "member"):
        return []
    remove(DATA + "restoring", DATA + "snapshot.db")
    done = set_aside()
    shutil.copyfile(given["path"], DATA + "snapshot.db")
    os.chmod(DATA + "snapshot.db", 0o600)
    options = ["--name", name, "--initial-cluster", ",".join("%s=%s" % each for each in peers.items())]
    options += ["--initial-advertise-peer-urls", peers[name], "--initial-cluster-token", "playsmith-" + checksum[:12]]
    # Revisions that only grow spare every watcher a cache of the future; etcd 3.6 can do that.
    if "--bump-revision" in help_of("snapshot", "restore"):
        options += ["--bump-revision", "1000000000", "--mark-compacted"]
    etcd.offline("snapshot", "restore", DATA + "snapshot.db", *options, "--data-dir", DATA + "restoring")
    remove(DATA + "snapshot.db")
    os.rename(DATA + "restoring/member", DATA + "member")
    write(MARK, checksum + "\n")
    remove(DATA + "restoring")
    return done + ["restored the snapshot"]


def settle(given, dry):
    if given["state"] == "restorable":
        return False, [], {"problems": list(problems(given["size"])), "authorities": authorities()}
    try:
        done = [] if dry else {"taken": take, "restored": restore}[given["state"]](given)
    except (OSError, LookupError) as error:
        raise Failure(str(error)) from error
    return dry or bool(done), done, {"problems": []}


def main():
    module = AnsibleModule(
        argument_spec={
            "state": {"type": "str", "choices": ["taken", "restorable", "restored"], "required": True},
            "user": {"type": "str", "default": "root"},
            "authorities": {"type": "bool", "default": False},
            "size": {"type": "int", "default": 0},
            "path": {"type": "path", "default": "/var/lib/playsmith-restore.db"},
            "checksum": {"type": "str", "default": ""},
            "name": {"type": "str", "default": ""},
            "peers": {"type": "dict", "default": {}},
        },
        supports_check_mode=True,
    )
    answer(module, lambda: settle(module.params, module.check_mode))


if __name__ == "__main__":
    main()
