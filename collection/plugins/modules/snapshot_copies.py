#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: snapshot_copies
short_description: Keeps copies of encrypted snapshots of etcd off the Ansible server, and brings them back
version_added: 0.1.0
description:
  - Runs on the Ansible server. A copy lies in a folder of its own below the directory, or the prefix, of its place, and what
    else is there is left alone.
  - Only what is encrypted is copied.
options:
  state:
    description:
      - V(present) brings the latest snapshot in O(folder) to each of O(copies), and deletes the oldest of this cluster there
        beyond what that keeps. One that fails does not keep the others from being tried. Where a copy has one whose name tells of a
        later time, by a clock that was ahead once, the snapshot is first named after that, in O(folder) as well.
      - V(fetched) brings the snapshot O(name) from the copy O(source) back into O(folder), where its checksum is compared.
    type: str
    choices: [present, fetched]
    default: present
  folder:
    description: Where the Ansible server keeps snapshots.
    type: path
    required: true
  cluster:
    description: The name of the folder of this cluster in each copy.
    type: str
    required: true
  name:
    description: The name of a snapshot, or V(latest).
    type: str
    default: latest
  source:
    description: The name of the copy that it is fetched from.
    type: str
    default: ""
  copies:
    description: Where copies lie; each has either O(copies[].sftp) or O(copies[].s3).
    type: list
    elements: dict
    required: true
    suboptions:
      name:
        description: Its name.
        type: str
        required: true
      keep:
        description: How many snapshots are kept there.
        type: int
        required: true
      sftp:
        description: A folder of an SFTP server.
        type: dict
        suboptions:
          host:
            description: Its name or address.
            type: str
            required: true
          port:
            description: Its port.
            type: int
            default: 22
          user:
            description: Who logs in there.
            type: str
            required: true
          private_key:
            description: The file of the private key, on the Ansible server.
            type: path
            required: true
          host_key:
            description: Its public host key, the only one that is accepted.
            type: str
            required: true
          directory:
            description: An existing or new folder, absolute, or below where the user arrives.
            type: str
            required: true
      s3:
        description: A bucket of S3, or of what speaks its protocol.
        type: dict
        suboptions:
          endpoint:
            description: The URL of the server, without the bucket, which is put behind it.
            type: str
            required: true
          region:
            description: The region that requests are signed for.
            type: str
            default: us-east-1
          bucket:
            description: The bucket; it exists.
            type: str
            required: true
          prefix:
            description: What all keys begin with.
            type: str
            default: ""
          access_key_id:
            description: The identifier of the key.
            type: str
            required: true
          secret_access_key:
            description: The key.
            type: str
            required: true
          ca:
            description: A file with the certificates of the authorities that vouch for the server; none, those of the system.
            type: path
            default: ""
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Copy the latest snapshot
  playsmith.host.snapshot_copies:
    folder: ~/playsmith/kept/edge-a/etcd
    cluster: edge-a
    copies:
      - name: offsite
        keep: 30
        sftp:
          host: backup.example.org
          user: edge-a
          private_key: ~/.ssh/backup
          host_key: ssh-ed25519 AAAA…
          directory: /srv/etcd
      - name: bucket
        keep: 30
        s3:
          endpoint: https://s3.example.org
          bucket: etcd
          access_key_id: "{{ vault_backup_bucket_access_key_id }}"
          secret_access_key: "{{ vault_backup_bucket_secret_access_key }}"
  delegate_to: localhost
"""

RETURN = r"""
snapshot: {description: The name of the snapshot that was copied or fetched., type: str, returned: success}
done: {description: "What was copied, fetched and deleted, one line each.", type: list, elements: str, returned: success}
"""

import http.client
import os
import shutil

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils import snapshot_files
from ansible_collections.playsmith.host.plugins.module_utils.host import digest, read
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure, answer
from ansible_collections.playsmith.host.plugins.module_utils.s3_copy import S3
from ansible_collections.playsmith.host.plugins.module_utils.sftp_copy import Sftp

TROUBLES = (Failure, OSError, http.client.HTTPException)


def store_of(copy, cluster, scratch):
    return Sftp(copy["sftp"], cluster, scratch) if copy["sftp"] else S3(copy["s3"], cluster)


def bring(store, there, folder, names, keep):
    """One snapshot to one copy; the oldest go only once it is there."""
    missing = [name for name in names if there.get(name) != os.path.getsize(os.path.join(folder, name))]
    for name in missing:
        store.put(os.path.join(folder, name), name)
    done = ["copied %s to %s" % (names[-1], store)] if missing else []
    found, latest = snapshot_files.parts({*there, *names}), names[-1].split(".")[0]
    stay = list(snapshot_files.whole(found))[-keep:]
    for old in [stem for stem in found if stem < latest and stem not in stay]:
        # The snapshot itself first: what is left of a run that is ended here is no snapshot any more.
        store.remove(found[old][::-1])
        done.append("deleted %s from %s" % (old, store))
    return done


def present(given, scratch):
    folder = given["folder"]
    kept = snapshot_files.here(folder)
    latest = snapshot_files.chosen(list(kept), "latest", folder)
    done, failed, stores = [], [], []
    for copy in given["copies"]:
        try:
            store = store_of(copy, given["cluster"], scratch)
            there = store.list()
            # It was made just now, whatever the clock said when others were.
            for other in [stem for stem in snapshot_files.parts(there) if stem > latest][-1:]:
                old, latest = snapshot_files.name_later(folder, kept[latest], other)
                kept = snapshot_files.here(folder)
                done.append("named %s anew, %s: %s has one that is called later" % (old, latest, copy["name"]))
            stores.append((copy, store, there))
        except TROUBLES as error:
            failed.append("%s: %s" % (copy["name"], error))
    for copy, store, there in stores:
        try:
            done += bring(store, there, folder, kept[latest], copy["keep"])
        except TROUBLES as error:
            failed.append("%s: %s" % (copy["name"], error))
    if failed:
        message = "The snapshot %s is whole on this Ansible server, but %d of %d copies failed: %s"
        path = os.path.join(folder, latest + ".db.age")
        raise Failure(message % (path, len(failed), len(given["copies"]), "; ".join(failed)))
    return bool(done), done, {"snapshot": latest}


def fetched(given, scratch):
    source, folder = given["source"], given["folder"]
    copy = next((each for each in given["copies"] if each["name"] == source), None)
    if copy is None:
        names = ", ".join(each["name"] for each in given["copies"])
        raise Failure("the definition has no copy %s, only %s" % (source, names))
    try:
        store = store_of(copy, given["cluster"], scratch)
        found = snapshot_files.whole(snapshot_files.parts(store.list()))
        stem = snapshot_files.chosen(list(found), given["name"], "the copy %s" % source)
        if is_sound(folder, stem):
            return False, [], {"snapshot": stem}
        fetch(store, found[stem], scratch)
    except TROUBLES as error:
        raise Failure("%s: %s" % (source, error)) from error
    for name in found[stem]:
        os.replace(os.path.join(scratch, name), os.path.join(folder, name))
    return True, ["fetched %s.db.age from %s" % (stem, store)], {"snapshot": stem}


def fetch(store, names, scratch):
    for name in names:
        path = os.path.join(scratch, name)
        store.get(name, path)
        os.chmod(path, 0o600)
    for name in names:
        path = os.path.join(scratch, name)
        if name + ".sha256" in names and digest(path) != read(path + ".sha256").split(" ")[0]:
            raise Failure("%s is not what its checksum was made of" % name)


def is_sound(folder, stem):
    path = os.path.join(folder, stem + ".db.age")
    return os.path.exists(path) and digest(path) == read(path + ".sha256").split(" ")[0]


def settle(given, dry):
    if dry and given["state"] == "present":
        return True, [], {"snapshot": ""}
    os.umask(0o077)
    scratch = os.path.join(given["folder"], "copying")
    try:
        # What a run left that was ended in the middle is gone with it.
        shutil.rmtree(scratch, ignore_errors=True)
        os.makedirs(scratch, 0o700)
        return {"present": present, "fetched": fetched}[given["state"]](given, scratch)
    except OSError as error:
        raise Failure(str(error)) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def arguments():
    text, needed, secret = {"type": "str"}, {"required": True}, {"type": "str", "required": True, "no_log": True}
    sftp = {
        "host": text | needed,
        "port": {"type": "int", "default": 22},
        "user": text | needed,
        "private_key": {"type": "path", "required": True, "no_log": False},
        "host_key": {"type": "str", "required": True, "no_log": False},
        "directory": text | needed,
    }
    s3 = {
        "endpoint": text | needed,
        "region": {"type": "str", "default": "us-east-1"},
        "bucket": text | needed,
        "prefix": {"type": "str", "default": ""},
        "access_key_id": secret,
        "secret_access_key": secret,
        "ca": {"type": "path", "default": ""},
    }
    kinds = {"sftp": {"type": "dict", "options": sftp}, "s3": {"type": "dict", "options": s3}}
    copy = {"name": text | needed, "keep": {"type": "int", "required": True}, **kinds}
    one = {"required_one_of": [list(kinds)], "mutually_exclusive": [list(kinds)]}
    return {
        "state": {"type": "str", "choices": ["present", "fetched"], "default": "present"},
        "folder": {"type": "path", "required": True},
        "cluster": text | needed,
        "name": {"type": "str", "default": "latest"},
        "source": {"type": "str", "default": ""},
        "copies": {"type": "list", "elements": "dict", "required": True, "options": copy, **one},
    }


def main():
    module = AnsibleModule(argument_spec=arguments(), supports_check_mode=True)
    answer(module, lambda: settle(module.params, module.check_mode))


if __name__ == "__main__":
    main()
