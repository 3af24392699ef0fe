#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: owner
short_description: Says to which cluster a host belongs, and keeps every other one away from it
version_added: 0.1.0
description:
  - A host has one owner. Its mark is C(/etc/playsmith/owner.json), with the name of the cluster, its UID and since when.
  - A mark without a UID is that of any cluster of its name; the first one that has a UID adds it.
  - Whatever is asked for, a host of another cluster is refused, and nothing of it is changed.
options:
  cluster:
    description: Name of the cluster that asks.
    type: str
    required: true
  uid:
    description: What tells it from other clusters of the same name, if anything does.
    type: str
    default: ""
  state:
    description:
      - V(known) changes nothing, V(read) does not even refuse.
      - V(present) marks a host that belongs to nobody.
      - V(adopted) marks one that belongs to O(former), too.
      - V(absent) hands it back.
    type: str
    choices: [known, read, present, adopted, absent]
    default: known
  former:
    description: The cluster that may lose the host.
    type: str
  path:
    description: Where the mark lies.
    type: path
    default: /etc/playsmith/owner.json
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: full}}
"""

EXAMPLES = r"""
- name: Read the owner of each host
  playsmith.host.owner:
    cluster: lab
    uid: 1f0e8a52-6f4b-4c39-9d1e-0c6a6a0f6f10

- name: Take over the hosts of a cluster that was renamed
  playsmith.host.owner:
    cluster: lab2
    state: adopted
    former: lab
"""

RETURN = r"""
owner:
  description: The cluster that the host belongs to now, or in check mode would belong to; empty when it is nobody's.
  type: str
  returned: always
uid: {description: Its UID; empty when it has none., type: str, returned: always}
since: {description: "Since when, in UTC; empty when it is nobody's.", type: str, returned: always}
interrupted:
  description: Whether an installation of packages was interrupted on it, so that apt refuses every other one.
  type: bool
  returned: success
"""

import contextlib
import json
import os
import re
import tempfile
import time
from typing import Any

from ansible.module_utils.basic import AnsibleModule

# dpkg writes there what it does, and takes it away once it is done.
UPDATES = "/var/lib/dpkg/updates"
NOBODY = {"cluster": "", "uid": "", "since": ""}
# They come from the host, and stand in a command that a person is told to type.
SHAPES = {
    "cluster": r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?",
    "uid": r"([0-9A-Za-z][-0-9A-Za-z]{7,63})?",
    "since": r"[-0-9:TZ]{20}",
}
REFUSED = (
    "This host belongs to {owner} since {since}, not to {asking}: nothing of it is changed.{hint} "
    "Three ways on: 1. {name} was renamed to {cluster}, or {cluster} is to take the host over: npx task owner adopt --from {name}. "
    "2. {name} gives it up, with its own definition: npx task owner release, or scale-in, or terminate. "
    "3. {cluster} does without it: take it out of the definition."
)
NOT_ITS_OWN = (
    "This host belongs to {owner} since {since}, neither to {asking} nor to {former}: nothing of it is changed."
)
ONE_UID = " Both have one UID: one is a copy of the other, or its former name."


class Unreadable(Exception):
    """What lies there is no mark."""


def judged(text: str) -> dict[str, str]:
    """The mark that a text is."""
    try:
        mark = json.loads(text)
        found = {key: mark[key] for key in SHAPES}
    except (ValueError, KeyError, TypeError):
        raise Unreadable from None
    if not all(isinstance(found[key], str) and re.fullmatch(shape, found[key]) for key, shape in SHAPES.items()):
        raise Unreadable
    return found


def read(path: str) -> dict[str, str]:
    try:
        with open(path, encoding="utf-8") as file:
            return judged(file.read())
    except FileNotFoundError:
        return NOBODY
    except UnicodeDecodeError:
        raise Unreadable from None


def title(cluster: str, uid: str, alike: bool) -> str:
    """Where two are called alike, the lack of a UID tells them apart too."""
    return "the cluster " + cluster + (" (UID %s)" % uid if uid else " (without a UID)" if alike else "")


def is_own(mark: dict[str, str], cluster: str, uid: str) -> bool:
    return mark["cluster"] == cluster and mark["uid"] in ("", uid)


def refusal(mark: dict[str, str], cluster: str, uid: str, state: str, former: str | None) -> str | None:
    """Why nothing may be done, or None."""
    name = mark["cluster"]
    if state == "read" or mark == NOBODY or is_own(mark, cluster, uid) or (state == "adopted" and name == former):
        return None
    words = NOT_ITS_OWN if state == "adopted" else REFUSED
    hint = ONE_UID if uid and mark["uid"] == uid else ""
    asking, owner = title(cluster, uid, name == cluster), title(name, mark["uid"], name == cluster)
    return words.format(
        owner=owner, name=name, since=mark["since"], asking=asking, cluster=cluster, former=former, hint=hint
    )


def wanted(mark: dict[str, str], cluster: str, uid: str, state: str, now: str) -> dict[str, str]:
    """The mark as it is to be."""
    if state == "absent":
        return NOBODY
    if state not in ("present", "adopted"):
        return mark
    return {"cluster": cluster, "uid": uid, "since": mark["since"] if is_own(mark, cluster, uid) else now}


def text(mark: dict[str, str]) -> str:
    return "" if mark == NOBODY else json.dumps(dict(apiVersion="playsmith/v1", kind="Owner", **mark), indent=2) + "\n"


def write(path: str, content: str) -> None:
    """Whoever reads it sees the whole of the old one or of the new one; everybody may."""
    folder = os.path.dirname(path)
    os.makedirs(folder, mode=0o755, exist_ok=True)
    handle, new = tempfile.mkstemp(dir=folder, prefix=".owner.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(new, 0o644)
        os.rename(new, path)
    except BaseException:
        os.unlink(new)
        raise


def remove(path: str) -> None:
    os.unlink(path)
    # With what else lies there it stays.
    with contextlib.suppress(OSError):
        os.rmdir(os.path.dirname(path))


def is_interrupted() -> bool:
    try:
        return any(name.isdigit() for name in os.listdir(UPDATES))
    except OSError:
        return False


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "cluster": {"type": "str", "required": True},
            "uid": {"type": "str", "default": ""},
            "state": {"type": "str", "choices": ["known", "read", "present", "adopted", "absent"], "default": "known"},
            "former": {"type": "str"},
            "path": {"type": "path", "default": "/etc/playsmith/owner.json"},
        },
        required_if=[("state", "adopted", ["former"])],
        supports_check_mode=True,
    )
    given: dict[str, Any] = module.params
    path, cluster, uid, state = given["path"], given["cluster"], given["uid"], given["state"]
    try:
        before = read(path)
        problem = refusal(before, cluster, uid, state, given["former"])
        if problem:
            module.fail_json(msg=problem, owner=before["cluster"], uid=before["uid"], since=before["since"])
        after = wanted(before, cluster, uid, state, time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
        if after != before and not module.check_mode:
            write(path, text(after)) if text(after) else remove(path)
    except Unreadable:
        module.fail_json(
            msg=path + " is no mark of an owner: find out who wrote it; without that file the host is nobody's"
        )
    except OSError as error:
        module.fail_json(msg="%s: %s" % (path, error.strerror or error))
    module.exit_json(
        changed=after != before,
        owner=after["cluster"],
        uid=after["uid"],
        since=after["since"],
        interrupted=is_interrupted(),
        diff={"before_header": path, "after_header": path, "before": text(before), "after": text(after)},
    )


if __name__ == "__main__":
    main()
