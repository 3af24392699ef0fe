#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: osa_system_packages
short_description: Copies packages of Debian or Ubuntu, with all that they depend on, into an archive of one's own
version_added: 0.1.0
description:
  - The packages come from where apt of this host takes its own, which checks their signatures; what is installed here does not matter.
  - Versions that the archive has already stay in it. It has no signature of its own.
options:
  directory:
    description: Folder of the archive.
    type: path
    required: true
  roles:
    description:
      - Folders with roles of Ansible. Every list of packages in their defaults, and in their variables for this system, is copied.
      - A name that apt does not know is left out, as roles have names for several releases.
    type: list
    elements: path
    default: []
  packages:
    description: Names, or patterns of apt, that are wanted beside these.
    type: list
    elements: str
    default: []
  backports:
    description: Names that roles ask for by the name of the backports. Nothing on Ubuntu.
    type: list
    elements: str
    default: []
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Copy the packages that the roles install
  playsmith.host.osa_system_packages:
    directory: /srv/mirror/osa/packages
    roles: [/etc/ansible/roles, /etc/ansible/ansible_collections]
    packages: ["?essential", debootstrap]
"""

RETURN = r"""
copied: {description: What was not there., type: list, elements: str, returned: success}
problems: {description: "What could not be copied, one sentence each.", type: list, elements: str, returned: success}
"""

import email.utils
import glob
import gzip
import hashlib
import os
import re
import shutil
import urllib.parse

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.host import digest, read
from ansible_collections.playsmith.host.plugins.module_utils.mirror import (
    has,
    keep,
    last_words,
    place,
    text_at,
    work_in,
    write,
)

# How apt lists what it would fetch: where from, as what, how large, and its sum.
LISTED = re.compile(r"(?m)^'([^']*)' (\S+\.deb) \d+ SHA256:([0-9a-f]{64})$")
# A variable of a role, with all of its value.
VARIABLE = re.compile(r"(?m)^(\w+):(.*(?:\n(?:[ \t#].*)?)*)")
NO_PACKAGES = re.compile("pip|remove|pinned|rpm|gpg|epel|redhat")
# Items of a list, and words in quotes, of which an expression chooses one.
NAME = re.compile(r"""(?m)^\s*-\s+([a-z0-9][a-z0-9+.-]+)\s*(?:\#.*)?$|["']([a-z0-9][a-z0-9+.-]+)["']""")
# Words in quotes that an expression compares with, or looks up.
COMPARED = re.compile(r"""(?:[=!]=|\bin)\s*["'][^"']*["']|\[["'][^"']*["']\]|is version\([^)]*\)""")

HEAD = "Suite: %s\nCodename: %s\nDate: %s\nArchitectures: %s\nComponents: main\nSHA256:\n%s"


def system():
    """Whose packages this host has, and their code name."""
    said = dict(re.findall(r'(?m)^(\w+)="?([^"\n]*)"?$', read("/etc/os-release")))
    if said.get("ID") not in ("debian", "ubuntu") or not said.get("VERSION_CODENAME"):
        name = said.get("PRETTY_NAME") or "this system"
        raise ValueError(
            "packages of %s are not copied: offer a mirror of it, at an `offline.packages` not below `offline.files`"
            % name
        )
    return said["ID"], said["VERSION_CODENAME"]


def roles_in(folders, distribution):
    """Of each role below the folders the texts of its variables that matter to this system."""
    names = ["main", "debian"] if distribution == "debian" else ["main", "debian", distribution]
    found = {}
    for folder in folders:
        for path in sorted(glob.glob(folder + "/**/*.yml", recursive=True)):
            kind, name = os.path.split(path)
            if os.path.basename(kind) in ("defaults", "vars") and re.split("[-.]", name.lower())[0] in names:
                found.setdefault(os.path.dirname(kind), []).append(read(path))
    return found


def named(text):
    """Names in the lists of packages of a role; some of them mean nothing here."""
    values = [value for name, value in VARIABLE.findall(text) if "package" in name and not NO_PACKAGES.search(name)]
    values = [COMPARED.sub("", value) for value in values]
    return {"".join(each) for value in values for each in NAME.findall(value)}


def plain(name):
    """As an archive has it: without the epoch of the version."""
    return re.sub(r"_\d+%3a", "_", name)


class Apt:
    """apt of this host with its sources, to which nothing is installed."""

    def __init__(self, module, folder):
        self.module, self.folder = module, folder
        os.makedirs(os.path.join(folder, "archives/partial"))
        with open(os.path.join(folder, "status"), "w", encoding="utf-8"):
            pass
        options = {
            "Dir::State::status": os.path.join(folder, "status"),
            "Dir::State::extended_states": os.path.join(folder, "extended"),
            "Dir::Cache": folder,
            "APT::Install-Recommends": "false",
            "APT::Sandbox::User": "root",
            "Acquire::ForceHash": "SHA256",
        }
        self.options = [word for name, value in options.items() for word in ("-o", "%s=%s" % (name, value))]

    def run(self, program, *words):
        around = {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
        return self.module.run_command([program, *self.options, *words], environ_update=around)

    def update(self):
        """Reads the lists of its sources again: what they name may be gone."""
        status, _said, why = self.run("apt-get", "-qq", "update")
        if status != 0:
            raise ValueError("apt of this host: %s" % last_words(why))

    def known(self, names):
        """Those that are real packages."""
        said = self.run("apt-cache", "--no-all-versions", "show", *sorted(names))[1] if names else ""
        return sorted(set(re.findall(r"(?m)^Package: (\S+)$", said)) & set(names))

    def ask(self, names, how, *more):
        """What apt says of an installation, of which it does no more than `how` tells."""
        status, said, why = self.run("apt-get", "--yes", how, *more, "install", *names)
        if status != 0:
            raise ValueError("apt of this host: %s" % last_words(why))
        return said

    def listed(self, names, *more):
        """Files of packages and of all that they depend on: where from, and with which sum."""
        return {name: (url, sum_) for url, name, sum_ in LISTED.findall(self.ask(names, "--print-uris", *more))}

    def path(self, name, url):
        """Where a file is that was downloaded; one of a disk stays where it is."""
        if url.startswith("file:"):
            shutil.copyfile(urllib.parse.unquote(url[len("file:") :]), os.path.join(self.folder, name))
            return os.path.join(self.folder, name)
        return os.path.join(self.folder, "archives", name)


class Archive:
    def __init__(self, module, apt):
        self.module, self.apt, self.dry = module, apt, module.check_mode
        self.directory = module.params["directory"]
        self.pool = os.path.join(self.directory, "pool")

    def bring(self, names, *more):
        """Files that were not there, of packages that can be installed together."""
        files = self.apt.listed(names, *more)
        there = {name for name, (_url, sum_) in files.items() if has(os.path.join(self.pool, plain(name)), sum_)}
        lacks = sorted(set(files) - there)
        if lacks and not self.dry:
            archives = os.path.join(self.apt.folder, "archives")
            for name in there:
                if not os.path.exists(os.path.join(archives, name)):
                    os.link(os.path.join(self.pool, plain(name)), os.path.join(archives, name))
            self.apt.ask(names, "--download-only", *more)
            for name in lacks:
                place(self.apt.path(name, files[name][0]), os.path.join(self.pool, plain(name)))
        return [plain(name) for name in lacks]

    def about(self, name):
        """What dpkg reads of one package in the pool."""
        path = os.path.join(self.pool, name)
        fields = self.module.run_command(["dpkg-deb", "--field", path], check_rc=True)[1].rstrip("\n")
        return "%s\nFilename: pool/%s\nSize: %d\nSHA256: %s\n" % (fields, name, os.stat(path).st_size, digest(path))

    def describe(self, suites):
        """Writes the lists of all that is in the pool; of which suites they were others."""
        architecture = self.module.run_command(["dpkg", "--print-architecture"], check_rc=True)[1].strip()
        # debootstrap does not see the last package where no empty line comes after it.
        text = "".join(self.about(name) + "\n" for name in sorted(os.listdir(self.pool)))
        packed = gzip.compress(text.encode(), mtime=0)
        written = []
        for suite in suites:
            folder, lists = os.path.join(self.directory, "dists", suite), "main/binary-%s/Packages" % architecture
            sums = "".join(
                " %s %d %s\n" % (hashlib.sha256(data).hexdigest(), len(data), name)
                for name, data in ((lists, text.encode()), (lists + ".gz", packed))
            )
            keep(os.path.join(folder, lists), text, self.dry)
            if not has(os.path.join(folder, lists + ".gz"), hashlib.sha256(packed).hexdigest()):
                write(os.path.join(folder, lists + ".gz"), packed)
            # Last, as apt takes a list for whole that has the sum it says.
            if not (text_at(folder + "/Release") or "").endswith("\nSHA256:\n" + sums):
                keep(
                    folder + "/Release",
                    HEAD % (suite, suite, email.utils.formatdate(usegmt=True), architecture, sums),
                    self.dry,
                )
                written.append("lists of " + suite)
        return written


def copy(module, folder):
    """What was not there, and what could not be had."""
    distribution, codename = system()
    apt = Apt(module, folder)
    if not module.check_mode:
        apt.update()
    archive = Archive(module, apt)
    roles = roles_in(module.params["roles"], distribution)
    told = []
    for role, texts in sorted(roles.items()):
        told += each_tried(archive, os.path.basename(role), apt.known(set().union(*map(named, texts))))
    told += [tried(archive.bring, name, [name]) for name in module.params["packages"]]
    if distribution == "debian" and module.params["backports"]:
        release_of = ("--target-release", codename + "-backports")
        told.append(tried(archive.bring, "the backports", module.params["backports"], *release_of))
    is_made = not module.check_mode and os.path.isdir(archive.pool)
    lists = archive.describe([codename, codename + "-backports"]) if is_made else []
    copied = [each for found, _ in told for each in found] or lists
    return list(dict.fromkeys(copied)), [each for _, problems in told for each in problems]


def each_tried(archive, role, names):
    """What was not there of a role's packages; one by one where some exclude others."""
    together = tried(archive.bring, "the role " + role, names) if names else ([], [])
    if not together[1] or len(names) == 1:
        return [together]
    return [tried(archive.bring, "the role " + role, [name]) for name in names]


def tried(work, what, *argv):
    try:
        return work(*argv), []
    except (OSError, ValueError) as error:
        return [], ["packages of %s: %s" % (what, " ".join(str(error).split()))]


def main():
    module = AnsibleModule(
        argument_spec={
            "directory": {"type": "path", "required": True},
            "roles": {"type": "list", "elements": "path", "default": []},
            "packages": {"type": "list", "elements": "str", "default": []},
            "backports": {"type": "list", "elements": "str", "default": []},
        },
        supports_check_mode=True,
    )
    directory = module.params["directory"]
    try:
        with work_in(directory, module.check_mode) as folder:
            copied, problems = copy(module, folder)
    except (OSError, ValueError) as error:
        copied, problems = [], [" ".join(str(error).split())]
    module.exit_json(changed=bool(copied), copied=copied, problems=problems)


if __name__ == "__main__":
    main()
