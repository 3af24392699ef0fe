#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: encrypted_snapshot
short_description: Encrypts snapshots of etcd to public keys with age, and decrypts them
version_added: 0.1.0
description:
  - On a control plane, so that nothing of a snapshot leaves it that is not encrypted.
  - The program C(age) has to be there, but for O(state=examined) and O(state=absent).
options:
  state:
    description:
      - V(examined) changes nothing, and finds out whether C(age) is missing.
      - V(encrypted) encrypts what M(playsmith.host.etcd_snapshot) took into O(folder), deletes what is not encrypted, and writes
        C(SHA256SUMS) of the rest, which O(user) can read.
      - V(kept) encrypts what older runs kept in O(folder) of the Ansible server without a key. Times of files stay.
      - V(decryptable) changes nothing, and fails unless O(identity) decrypts all of O(path).
      - V(decrypted) decrypts O(path) into a folder of root alone, in memory where that has room for it.
      - V(absent) deletes what was decrypted.
    type: str
    choices: [examined, encrypted, kept, decryptable, decrypted, absent]
    required: true
  folder:
    description: Where the snapshot is.
    type: path
    default: /var/lib/playsmith-snapshot
  recipients:
    description: The public keys. Whoever has the private key of any of them can decrypt it.
    type: list
    elements: str
    default: []
  user:
    description: Who fetches the snapshot.
    type: str
    default: root
  path:
    description: The encrypted snapshot.
    type: path
    default: /var/lib/playsmith-restore.db.age
  identity:
    description: The text of a file with private keys, as C(age-keygen) writes it, or of a private key of SSH.
    type: str
    default: ""
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Encrypt the snapshot
  playsmith.host.encrypted_snapshot:
    state: encrypted
    recipients: [age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p]
    user: operator
"""

RETURN = r"""
missing: {description: Whether there is no C(age)., type: bool, returned: when O(state=examined)}
path: {description: The snapshot that can be restored., type: str, returned: when O(state=decrypted)}
done: {description: "What was done, one line each.", type: list, elements: str, returned: success}
"""

import json
import os
import re
import shutil

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.host import digest, read, write
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure, answer, run, works

PLAIN = re.compile(r"(?:snapshot|\d{8}T\d{6}Z)\.(?:db|pki\.tar)")
# Memory first. The data of etcd, which hold the same, lie beside the second.
FOLDERS = ("/run/playsmith-restore", "/var/lib/playsmith-restore")
# Where the program of etcd reads it, which sees the data of etcd alone.
COPY = "/var/lib/etcd/snapshot.db"

STATES = ["examined", "encrypted", "kept", "decryptable", "decrypted", "absent"]


def plain(folder):
    return sorted(name for name in os.listdir(folder) if PLAIN.fullmatch(name))


def require_age():
    if not works("age", "--version"):
        raise Failure("there is no age here, by which snapshots are encrypted: install the package age")


def encrypt(path, recipients):
    words = [word for each in recipients for word in ("--recipient", each)]
    remove(path + ".age.part")
    run("age", "--encrypt", *words, "--output", path + ".age.part", path)
    shutil.copystat(path, path + ".age.part")
    with open(path + ".age.part", "rb") as file:
        os.fsync(file.fileno())
    return path + ".age.part"


def encrypt_taken(given):
    folder, recipients = given["folder"], given["recipients"]
    for name in plain(folder):
        path = os.path.join(folder, name)
        os.rename(encrypt(path, recipients), path + ".age")
        remove(path)
    told = json.loads(read(os.path.join(folder, "snapshot.json")))
    about = {"revision": told["revision"], "keys": told["totalKey"], "bytes": told["totalSize"]}
    write(os.path.join(folder, "snapshot.json"), json.dumps({**about, "encryptedTo": recipients}, indent=2) + "\n")
    remove(os.path.join(folder, "SHA256SUMS"))
    names = sorted(os.listdir(folder))
    lines = ["%s *%s\n" % (digest(os.path.join(folder, name)), name) for name in names]
    write(os.path.join(folder, "SHA256SUMS"), "".join(lines))
    for name in ["", "SHA256SUMS", *names]:
        os.chmod(os.path.join(folder, name), 0o600 if name else 0o700)
        shutil.chown(os.path.join(folder, name), given["user"])
    return ["encrypted the snapshot of revision %d" % about["revision"]]


def encrypt_kept(given):
    folder, done = given["folder"], []
    for name in plain(folder):
        path = os.path.join(folder, name)
        part = encrypt(path, given["recipients"])
        write(path + ".age.sha256", "%s  %s\n" % (digest(part), name + ".age"))
        os.rename(part, path + ".age")
        remove(path, path + ".sha256")
        done.append("encrypted %s, which an older run kept" % path)
    return done


def decrypt(given, target):
    path, words = given["path"], ["--identity", "-", "--output", target]
    try:
        run("age", "--decrypt", *words, path, text=given["identity"] + "\n")
    except Failure as error:
        # Behind it age says where to report it.
        reasons = re.findall(r"age: error: (.*)", str(error)) or [str(error)]
        raise Failure("%s cannot be decrypted: %s" % (path, reasons[0])) from error


def decrypt_whole(given):
    remove(*FOLDERS)
    wanted = 1.25 * os.path.getsize(given["path"])
    roomy = [each for each in FOLDERS if shutil.disk_usage(os.path.dirname(each)).free > wanted]
    folder = [*roomy, FOLDERS[-1]][0]
    os.mkdir(folder, 0o700)
    os.umask(0o077)
    target = os.path.join(folder, "snapshot.db")
    try:
        decrypt(given, target)
    except Failure:
        remove(folder)
        raise
    return target


def remove(*paths):
    for path in paths:
        if os.path.isdir(path):
            shutil.rmtree(path)
        elif os.path.lexists(path):
            os.unlink(path)


def settle(given, dry):
    state = given["state"]
    if state == "examined":
        return False, [], {"missing": not works("age", "--version")}
    if state == "absent":
        there = [path for path in (*FOLDERS, COPY) if os.path.lexists(path)]
        remove(*([] if dry else there))
        return bool(there), ["deleted " + path for path in there], {}
    if state == "kept" and not (os.path.isdir(given["folder"]) and plain(given["folder"])):
        return False, [], {}
    if dry:
        return state != "decryptable", [], {"path": os.path.join(FOLDERS[0], "snapshot.db")}
    require_age()
    try:
        return changed(given)
    except (OSError, ValueError, LookupError) as error:
        raise Failure(str(error)) from error


def changed(given):
    state = given["state"]
    if state == "decryptable":
        return False, decrypt(given, "/dev/null") or [], {}
    if state == "decrypted":
        return True, ["decrypted the snapshot"], {"path": decrypt_whole(given)}
    return True, encrypt_taken(given) if state == "encrypted" else encrypt_kept(given), {}


def main():
    module = AnsibleModule(
        argument_spec={
            "state": {"type": "str", "choices": STATES, "required": True},
            "folder": {"type": "path", "default": "/var/lib/playsmith-snapshot"},
            "recipients": {"type": "list", "elements": "str", "default": []},
            "user": {"type": "str", "default": "root"},
            "path": {"type": "path", "default": "/var/lib/playsmith-restore.db.age"},
            "identity": {"type": "str", "default": "", "no_log": True},
        },
        supports_check_mode=True,
    )
    answer(module, lambda: settle(module.params, module.check_mode))


if __name__ == "__main__":
    main()
