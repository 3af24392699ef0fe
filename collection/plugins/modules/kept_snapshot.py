#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: kept_snapshot
short_description: Keeps snapshots of etcd on the Ansible server, and finds them again
version_added: 0.1.0
description: Snapshots are named after the time when they were kept, and later than all others. Other files are left alone.
options:
  folder:
    description: Where they are kept.
    type: path
    required: true
  state:
    description:
      - V(present) changes nothing, and finds the snapshot O(name).
      - V(kept) names what was fetched into the folder C(incoming), once its checksums hold, and deletes the oldest
        snapshots beyond O(keep).
    type: str
    choices: [present, kept]
    default: present
  name:
    description: The name of a snapshot, with or without C(.db), or V(latest).
    type: str
    default: latest
  keep:
    description: How many are kept.
    type: int
    default: 0
  hours:
    description: Only asks, where it is not 0, whether there is a snapshot that is younger, by its name and by its file.
    type: int
    default: 0
  encrypted:
    description: Whether a snapshot that is encrypted is found as well.
    type: bool
    default: false
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Find the latest snapshot
  playsmith.host.kept_snapshot:
    folder: ~/playsmith/kept/edge-a/etcd
  delegate_to: localhost
"""

RETURN = r"""
path: {description: The file of the snapshot., type: str, returned: when O(state=present)}
checksum: {description: Its SHA-256 in hexadecimal., type: str, returned: when O(state=present)}
size: {description: Its size in bytes., type: int, returned: when O(state=present)}
done: {description: "What was kept and deleted, one line each.", type: list, elements: str, returned: success}
"""

import calendar
import glob
import os
import re
import shutil
import time

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.host import digest, read, write
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure, answer

# The name of a snapshot before its first dot.
STEM = "%Y%m%dT%H%M%SZ"


def elsewhere(folder):
    """Folders of other names that have snapshots: one of them may be this one's, renamed by hand."""
    cluster, name = os.path.split(folder.rstrip("/"))
    found = glob.glob(os.path.join(glob.escape(os.path.dirname(cluster)), "*", name, "*.db*"))
    others = sorted({os.path.dirname(os.path.dirname(path)) for path in found} - {cluster})
    return "; if it was renamed, name it %s again: snapshots are in %s" % (cluster, ", ".join(others)) if others else ""


def snapshots(folder):
    """The path of each by its name, the oldest first."""
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise Failure("nothing is kept in " + folder + elsewhere(folder)) from error
    return {name[:16]: os.path.join(folder, name) for name in names if re.fullmatch(r"\d{8}T\d{6}Z\.db(\.age)?", name)}


def made_at(name):
    """When a snapshot was made, in seconds: its file may have been fetched or copied since."""
    return calendar.timegm(time.strptime(name, STEM))


def require_recent(folder, hours):
    # Either may say too late: by a clock that was wrong, or as a copy.
    made = [min(made_at(name), os.path.getmtime(path)) for name, path in snapshots(folder).items()]
    if not any(0 <= time.time() - each < hours * 3600 for each in made):
        raise Failure("no snapshot of etcd in %s is younger than %d hours" % (folder, hours))


def find(folder, name, encrypted=False):
    found = snapshots(folder)
    if not found:
        raise Failure("no snapshot is kept in " + folder + elsewhere(folder))
    wanted = list(found)[-1] if name == "latest" else name.split(".")[0]
    if wanted not in found:
        raise Failure("there is no snapshot %s in %s, only %s" % (wanted, folder, ", ".join(found)))
    path = found[wanted]
    if path.endswith(".age") and not encrypted:
        raise Failure(path + " is encrypted, and the definition has no backup.decryptWith that says where the key is")
    checksum = read(path + ".sha256").split(" ")[0]
    if digest(path) != checksum:
        raise Failure(path + (" is not what its checksum was made of" if checksum else " has no checksum beside it"))
    return {"path": path, "checksum": checksum, "size": os.path.getsize(path)}


def keep(folder, count):
    incoming = os.path.join(folder, "incoming")
    lines = [line.split(" *", 1) for line in read(os.path.join(incoming, "SHA256SUMS")).splitlines()]
    sums = {name: checksum for checksum, name in lines if re.fullmatch(r"snapshot\.((db|pki\.tar)(\.age)?|json)", name)}
    if not sums.keys() & {"snapshot.db", "snapshot.db.age"} or any(
        digest(os.path.join(incoming, name)) != each for name, each in sums.items()
    ):
        raise Failure("what was fetched into %s is not what its checksums were made of" % incoming)
    # After all others, whatever the clock says: by their names the oldest are deleted, and the latest is found.
    stem = time.strftime(STEM, time.gmtime(max([time.time(), *(made_at(name) + 1 for name in snapshots(folder))])))
    # The snapshot itself last: without it nothing is found.
    for name in sorted(sums, reverse=True):
        path = os.path.join(folder, name.replace("snapshot", stem))
        write(path + ".sha256", "%s  %s\n" % (sums[name], os.path.basename(path)))
        os.chmod(os.path.join(incoming, name), 0o600)
        with open(os.path.join(incoming, name), "rb") as file:
            os.fsync(file.fileno())
        os.rename(os.path.join(incoming, name), path)
    shutil.rmtree(incoming)
    done = ["kept %s" % path]
    for old, path in list(snapshots(folder).items())[:-count]:
        for each in glob.glob(os.path.join(glob.escape(folder), old + ".*")):
            os.unlink(each)
        done.append("deleted %s" % path)
    return done


def settle(given, dry):
    if given["hours"]:
        return False, [], require_recent(given["folder"], given["hours"]) or {}
    if given["state"] == "present":
        return False, [], find(given["folder"], given["name"], given["encrypted"])
    try:
        return True, [] if dry else keep(given["folder"], given["keep"]), {}
    except (OSError, ValueError) as error:
        raise Failure(str(error)) from error


def main():
    module = AnsibleModule(
        argument_spec={
            "folder": {"type": "path", "required": True},
            "state": {"type": "str", "choices": ["present", "kept"], "default": "present"},
            "name": {"type": "str", "default": "latest"},
            "keep": {"type": "int", "default": 0},
            "hours": {"type": "int", "default": 0},
            "encrypted": {"type": "bool", "default": False},
        },
        supports_check_mode=True,
    )
    answer(module, lambda: settle(module.params, module.check_mode))


if __name__ == "__main__":
    main()
