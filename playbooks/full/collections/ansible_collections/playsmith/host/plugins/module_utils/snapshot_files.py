"""Names of kept snapshots, on the Ansible server and in copies elsewhere."""

from __future__ import annotations

import calendar
import contextlib
import glob
import os
import re
import time

from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure

STEM = r"\d{8}T\d{6}Z"
TIME = "%Y%m%dT%H%M%SZ"
# What belongs to a snapshot where it is encrypted. A copy has nothing else.
COPIED = re.compile(r"(%s)\.(?:db\.age|pki\.tar\.age|json)(?:\.sha256)?" % STEM)


def parts(names):
    """Of these names: those that belong to each snapshot, the oldest first, whether it is whole or not."""
    found = {}
    for name in names:
        if (match := COPIED.fullmatch(name)) and moment(match.group(1)) is not None:
            found.setdefault(match.group(1), set()).add(name)
    return {stem: in_order(found[stem]) for stem in sorted(found)}


def moment(stem):
    """Of which a name tells, in seconds; none where it tells of no time."""
    with contextlib.suppress(ValueError):
        return calendar.timegm(time.strptime(stem, TIME))
    return None


def name_later(folder, names, other):
    """Names a snapshot of a folder anew, just after another one's: gives both its names. Until it is done it has the old name."""
    old, new = names[-1].split(".")[0], time.strftime(TIME, time.gmtime(moment(other) + 1))
    if not re.fullmatch(STEM, new):
        raise Failure("no name comes after that of its snapshot %s: delete it there" % other)
    for name in names:
        path = os.path.join(folder, name.replace(old, new))
        if name.endswith(".sha256"):
            with open(os.path.join(folder, name), encoding="utf-8") as file, open(path, "w", encoding="utf-8") as later:
                later.write(file.read().replace(old, new))
        else:
            os.link(os.path.join(folder, name), path)
    for name in reversed(names):
        os.unlink(os.path.join(folder, name))
    return old, new


def whole(found):
    """Of what `parts` found: those that are there with their checksums."""
    return {stem: names for stem, names in found.items() if {stem + ".db.age", stem + ".db.age.sha256"} <= set(names)}


def in_order(names):
    """Checksums before what they are of, and the snapshot itself last: where it is, all of it is."""
    return sorted(names, key=lambda name: (name.endswith(".db.age"), not name.endswith(".sha256"), name))


def chosen(stems, name, where):
    """The snapshot of that name, with or without what follows its time, or the latest."""
    if not stems:
        raise Failure("%s has no snapshot of this cluster" % where)
    wanted = stems[-1] if name == "latest" else name.split(".")[0]
    if wanted not in stems:
        raise Failure("%s has no snapshot %s, only %s" % (where, wanted, ", ".join(stems)))
    return wanted


def here(folder):
    """Those that the Ansible server keeps, and that are whole."""
    paths = glob.glob(os.path.join(glob.escape(folder), "*"))
    return whole(parts(os.path.basename(path) for path in paths))
