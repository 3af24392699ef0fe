#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: osa_crates
short_description: Copies the crates that a program in Rust is built with into a sparse index of one's own
version_added: 0.1.0
description:
  - The crates are those of its C(Cargo.lock), each with the sum that stands there.
  - Crates and versions that the index has already stay in it.
options:
  repository:
    description: Git URL of the program.
    type: str
    required: true
  version:
    description: Its tag or branch.
    type: str
    required: true
  directory:
    description: Folder of the index.
    type: path
    required: true
  url:
    description: What offers the folder, without a slash at its end. Cargo downloads crates from below it.
    type: str
    required: true
  publisher:
    description: The sparse index to copy from.
    type: str
    default: https://index.crates.io
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Copy the crates of the driver
  playsmith.host.osa_crates:
    repository: https://github.com/vexxhost/magnum-cluster-api
    version: v0.36.6
    directory: /srv/mirror/osa/crates
    url: https://mirror.example.org/osa/crates
"""

RETURN = r"""
copied: {description: What was not there., type: list, elements: str, returned: success}
problems: {description: "What could not be copied, one sentence each.", type: list, elements: str, returned: success}
"""

import concurrent.futures
import hashlib
import json
import os
import re
import urllib.request

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.mirror import (
    git_of,
    has,
    keep,
    last_words,
    text_at,
    work_in,
    write,
)

# Crates.io itself has none larger than ten megabytes; what an index says of a crate with very many versions is less.
MOST = 1 << 26


def read(url):
    try:
        with urllib.request.urlopen(url, timeout=60) as answered:
            data = answered.read(MOST + 1)
    except OSError as error:
        # Python does not say of what.
        raise ValueError("%s: %s" % (url, error)) from error
    if len(data) > MOST:
        raise ValueError("%s has more than the %d bytes that anything there has" % (url, MOST))
    return data


def locked(text):
    """Names, versions and sums of a Cargo.lock's crates, and where else some come from."""
    crates, elsewhere = [], []
    for block in text.split("[[package]]")[1:]:
        said = dict(re.findall(r'(?m)^(name|version|source|checksum) = "([^"]*)"$', block))
        if said.get("source", "").startswith("registry+"):
            crates.append((said["name"], said["version"], said.get("checksum", "")))
        elif "source" in said:
            elsewhere.append("%s %s comes from %s, and from no index" % (said["name"], said["version"], said["source"]))
    return crates, elsewhere


def prefix(name):
    """The folder of a crate in an index, by the rules of Cargo."""
    lower = name.lower()
    return str(len(lower)) if len(lower) < 3 else "3/" + lower[0] if len(lower) == 3 else lower[:2] + "/" + lower[2:4]


def download_url(template, name, version, checksum):
    said = {
        "{crate}": name,
        "{version}": version,
        "{prefix}": prefix(name),
        "{lowerprefix}": prefix(name),
        "{sha256-checksum}": checksum,
    }
    if not any(mark in template for mark in said):
        return "%s/%s/%s/download" % (template, name, version)
    for mark, value in said.items():
        template = template.replace(mark, value)
    return template


def with_version(lines, entry):
    """The lines of a crate in an index, with one version in the place of what there was of it."""
    others = [line for line in lines if json.loads(line)["vers"] != json.loads(entry)["vers"]]
    return "".join(line + "\n" for line in sorted([*others, entry]))


class Index:
    def __init__(self, given, dry):
        self.directory, self.publisher, self.dry = given["directory"], given["publisher"].rstrip("/"), dry
        self.config = json.dumps({"dl": given["url"] + "/crates/{crate}-{version}.crate"}) + "\n"
        self.template = json.loads(read(self.publisher + "/config.json"))["dl"]

    def bring(self, crate):
        """What of a crate was not there."""
        name, version, checksum = crate
        if not re.fullmatch(r"[\w-]+", name) or not re.fullmatch(r"[\w.+-]+", version):
            raise ValueError("%s %s is no name and version of a crate" % (name, version))
        lines = read("%s/%s/%s" % (self.publisher, prefix(name), name.lower())).decode().split("\n")
        entry = [line for line in lines if line.strip() and json.loads(line)["vers"] == version]
        if not entry or json.loads(entry[0])["cksum"] != checksum:
            raise ValueError("%s %s: its publisher has none with the sum of the lock" % (name, version))
        file = os.path.join(self.directory, "crates", "%s-%s.crate" % (name, version))
        lacks = not has(file, checksum)
        if lacks and not self.dry:
            self.fetch(download_url(self.template, name, version, checksum), file, checksum)
        place_of_lines = os.path.join(self.directory, prefix(name), name.lower())
        there = (text_at(place_of_lines) or "").splitlines()
        # The order in which versions came is nobody's.
        written = keep(place_of_lines, with_version(there, entry[0]), self.dry)
        return ["crate %s %s" % (name, version)] if lacks or written else []

    def fetch(self, url, file, checksum):
        data = read(url)
        found = hashlib.sha256(data).hexdigest()
        if found != checksum:
            raise ValueError("%s has the sum %s, not %s" % (url, found, checksum))
        write(file, data)


def lock_of(module, folder):
    """The text of the program's Cargo.lock; none where it has none."""
    repository, version = module.params["repository"], module.params["version"]
    clone = [*git_of(repository), "clone", "--quiet", "--bare", "--depth=1", "--branch", version, repository, folder]
    status, _said, why = module.run_command(clone, environ_update={"GIT_TERMINAL_PROMPT": "0"})
    if status != 0:
        raise ValueError("%s %s: %s" % (repository, version, last_words(why)))
    status, text, _why = module.run_command(["git", "-C", folder, "show", "HEAD:Cargo.lock"])
    return text if status == 0 else ""


def tried(work, crate):
    try:
        return work(crate), []
    except (OSError, ValueError) as error:
        return [], ["crate %s: %s" % (crate[0], " ".join(str(error).split()))]


def copy(module, folder):
    """What was not there, and what could not be had."""
    crates, elsewhere = locked(lock_of(module, folder))
    if not crates:
        return [], elsewhere
    index = Index(module.params, module.check_mode)
    # Of two versions of one crate both write the same file, so a name is the work of one.
    names = sorted({name for name, _version, _checksum in crates})
    with concurrent.futures.ThreadPoolExecutor(8) as several:
        told = several.map(lambda name: [tried(index.bring, each) for each in crates if each[0] == name], names)
        results = [result for results in told for result in results]
    copied = [each for found, _ in results for each in found]
    if keep(os.path.join(index.directory, "config.json"), index.config, module.check_mode):
        copied.append("config.json of the crates")
    return copied, elsewhere + [each for _, problems in results for each in problems]


def main():
    module = AnsibleModule(
        argument_spec={
            "repository": {"type": "str", "required": True},
            "version": {"type": "str", "required": True},
            "directory": {"type": "path", "required": True},
            "url": {"type": "str", "required": True},
            "publisher": {"type": "str", "default": "https://index.crates.io"},
        },
        supports_check_mode=True,
    )
    try:
        with work_in(module.params["directory"], module.check_mode) as folder:
            copied, problems = copy(module, folder)
    except (OSError, ValueError) as error:
        copied, problems = [], [" ".join(str(error).split())]
    module.exit_json(changed=bool(copied), copied=copied, problems=problems)


if __name__ == "__main__":
    main()
