#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: osa_python_packages
short_description: Copies Python packages, with all that they depend on and are built with, into an index of one's own
version_added: 0.1.0
description:
  - pip of the deploy host chooses the packages, for the version of Python and the machine that it runs on.
  - The index is a folder of plain files that any web server offers. What it has already stays in it.
options:
  directory:
    description: Folder of the index.
    type: path
    required: true
  url:
    description: What offers the folder. Where pip of the deploy host is told to ask that, O(publisher) is asked in its place.
    type: str
    default: ""
  publisher:
    description: The index that is asked then.
    type: str
    default: https://pypi.org/simple
  sets:
    description:
      - What is installed together. Each has a C(name), C(packages), which are requirements of pip, and may have C(constraints),
        which are files or URLs.
      - Of a requirement C(git+URL@COMMIT) only what it depends on and is built with is copied. Where it says that itself it is
        not built for it, so the host need not have what it is built with.
    type: list
    elements: dict
    required: true
  python:
    description: The Python whose pip is asked.
    type: path
    default: /opt/ansible-runtime/bin/python
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Copy what Magnum is installed of
  playsmith.host.osa_python_packages:
    directory: /srv/mirror/osa/python
    url: https://mirror.example.org/osa/python
    sets:
      - name: Magnum
        packages: [PyMySQL, "git+https://opendev.org/openstack/magnum@stable/2025.1"]
        constraints: [/opt/openstack-ansible/global-requirement-pins.txt]
"""

RETURN = r"""
copied: {description: What was not there., type: list, elements: str, returned: success}
problems: {description: "What could not be copied, one sentence each.", type: list, elements: str, returned: success}
"""

import html
import json
import os
import re
import tarfile
import tempfile
import urllib.parse
import zipfile

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.host import digest
from ansible_collections.playsmith.host.plugins.module_utils.mirror import git_of, has, keep, last_words, place, work_in

# What a source is built with that does not say so itself.
BUILD = ("setuptools", "wheel")
# pip has a reader of this format, whatever Python it is.
READER = """
import json, sys
try:
    import tomllib
except ImportError:
    from pip._vendor import tomli as tomllib
said = tomllib.loads(sys.stdin.read())
print(json.dumps([said.get("build-system", {}).get("requires"), said.get("project", {}).get("dependencies")]))
"""

# A requirement that is a commit, a tag or a branch of a git repository.
FROM_GIT = re.compile(r"(?:[\w.-]+ ?@ ?)?git\+([^#]+)@([^@#]+)(?:#.*)?")


def normalized(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def project_of(file):
    """Whose file it is, by its name."""
    if file.endswith(".whl"):
        return normalized(file.split("-")[0])
    return normalized(re.sub(r"\.(?:tar\.\w+|tgz|zip)$", "", file).rpartition("-")[0])


def page(links):
    lines = ['<a href="%s">%s</a><br>' % (html.escape(link), html.escape(name)) for name, link in links]
    return "<!DOCTYPE html>\n<html><body>\n%s\n</body></html>\n" % "\n".join(lines)


def file_of(chosen):
    return os.path.basename(urllib.parse.unquote(urllib.parse.urlparse(chosen["url"]).path))


def sum_of(chosen):
    """As its index says it; none where that says none."""
    return chosen.get("archive_info", {}).get("hashes", {}).get("sha256", "")


def members(path):
    """Names and texts of the files in the first folder of a source."""
    if os.path.isdir(path):
        for name in ("pyproject.toml", "setup.py"):
            if os.path.exists(os.path.join(path, name)):
                with open(os.path.join(path, name), "rb") as file:
                    yield name, file.read()
        return
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            yield from (
                (name, archive.read(name)) for name in archive.namelist() if re.fullmatch(r"([^/]+/)?[^/]+", name)
            )
        return
    with tarfile.open(path) as archive:
        for each in archive:
            if each.isfile() and re.fullmatch(r"[^/]+/[^/]+", each.name):
                yield each.name, archive.extractfile(each).read()


def reason(why):
    """What pip says that is the matter: of a source that it asked, that source's own words."""
    built = re.search(r"lines? of output\]([\s\S]*?)\[end of output\]", why)
    errors = [line for line in why.splitlines() if line.startswith("ERROR: ") and line != "ERROR: Exception:"]
    return " ".join((built.group(1) if built else "\n".join(errors) or last_words(why)).split())[:1000]


class Index:
    def __init__(self, module, folder):
        self.module, self.folder, self.dry = module, folder, module.check_mode
        self.directory = module.params["directory"]
        self.asked, self.copied = set(), []
        self.around = {"GIT_TERMINAL_PROMPT": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}
        # Its words are told without colors.
        self.around["PIP_NO_COLOR"] = "1"
        told = module.run_command([module.params["python"], "-m", "pip", "config", "list"])[1]
        places = {place.rstrip("/") for place in re.findall(r"(?m)\.index-url='([^']*)'$", told)}
        if module.params["url"] in places:
            self.around["PIP_INDEX_URL"] = module.params["publisher"]

    def path(self, file):
        return os.path.join(self.directory, project_of(file), file)

    def run(self, *words, **more):
        argv = [self.module.params["python"], *words]
        status, said, why = self.module.run_command(argv, cwd=self.folder, environ_update=self.around, **more)
        if status != 0:
            raise ValueError(reason(why))
        return said

    def chosen(self, packages, constraints):
        """What pip would install into an empty Python."""
        report = os.path.join(self.folder, "report.json")
        bounds = [word for each in constraints for word in ("--constraint", each)]
        dry = ("--quiet", "--dry-run", "--ignore-installed", "--report", report)
        self.run("-m", "pip", "install", *dry, *bounds, *packages)
        with open(report, encoding="utf-8") as file:
            return [each["download_info"] for each in json.load(file)["install"]]

    def has(self, chosen):
        path = self.path(file_of(chosen))
        return has(path, sum_of(chosen) or (digest(path) if os.path.exists(path) else ""))

    def bring(self, packages, constraints=()):
        """Copies files that are not there, and those of what their sources are built with."""
        if (*sorted(packages), *constraints) in self.asked:
            return
        self.asked.add((*sorted(packages), *constraints))
        sources = {each: self.clone(*found.groups()) for each in packages if (found := FROM_GIT.fullmatch(each))}
        told = [self.told(sources[each]) if each in sources else [each] for each in packages]
        chosen = [
            each
            for each in self.chosen([word for words in told for word in words], constraints)
            if "dir_info" not in each
        ]
        lacks = [each for each in chosen if not self.has(each)]
        with tempfile.TemporaryDirectory(dir=self.folder) as fetched:
            if lacks:
                urls = [each["url"] for each in lacks]
                self.run("-m", "pip", "download", "--quiet", "--no-deps", "--dest", fetched, *urls)
            files = [
                os.path.join(fetched, file_of(each)) if each in lacks else self.path(file_of(each)) for each in chosen
            ]
            paths = [*sources.values(), *(file for file in files if not file.endswith(".whl"))]
            needs = [self.built_with(path) for path in paths]
            for each in lacks:
                self.add(os.path.join(fetched, file_of(each)), sum_of(each))
        for each in needs:
            self.bring(each)

    def clone(self, url, version):
        """A folder with a commit, tag or branch, and with the tags by which some sources tell their version."""
        folder = tempfile.mkdtemp(dir=self.folder)
        for words in (
            ["clone", "--quiet", "--no-checkout", url, folder],
            ["-C", folder, "checkout", "--quiet", version],
        ):
            status, _said, why = self.module.run_command(
                [*git_of(url), *words], environ_update={"GIT_TERMINAL_PROMPT": "0"}
            )
            if status != 0:
                raise ValueError("%s %s: %s" % (url, version, last_words(why)))
        return folder

    def told(self, folder):
        """What a source depends on, where it says so itself; else the source, which pip asks."""
        depends = self.read_project(dict(members(folder)))[1]
        return [folder] if depends is None else depends

    def read_project(self, texts):
        """What it is built with, and what it depends on; none where it does not say so."""
        return json.loads(self.run("-c", READER, data=texts.get("pyproject.toml", b"").decode(errors="replace")))

    def add(self, path, wanted):
        name = os.path.basename(path)
        if wanted and digest(path) != wanted:
            raise ValueError("%s has the sum %s, not %s" % (name, digest(path), wanted))
        if not self.dry:
            place(path, self.path(name))
        self.copied.append("Python package " + name)

    def built_with(self, path):
        """What a source is built with, by its own words."""
        texts = {os.path.basename(name): text for name, text in members(path)}
        requires = self.read_project(texts)[0]
        # What is built by setuptools alone says it where it is set up.
        setup = re.findall(r"setup_requires\s*=\s*\[([^\]]*)\]", texts.get("setup.py", b"").decode(errors="replace"))
        return sorted(
            {*(BUILD if requires is None else requires), *re.findall(r"""["']([^"']+)["']""", "".join(setup))}
        )

    def describe(self):
        """Writes pages with the links that pip follows; which of them were others."""
        projects = sorted(
            name for name in os.listdir(self.directory) if not name.startswith(".") and name != "index.html"
        )
        written = []
        for project in projects:
            folder = os.path.join(self.directory, project)
            files = sorted(name for name in os.listdir(folder) if name != "index.html" and not name.startswith("."))
            sums = [
                (name, "%s#sha256=%s" % (urllib.parse.quote(name), digest(os.path.join(folder, name))))
                for name in files
            ]
            written += ["index of " + project] if keep(os.path.join(folder, "index.html"), page(sums), self.dry) else []
        keep(os.path.join(self.directory, "index.html"), page([(name, name + "/") for name in projects]), self.dry)
        return written


def copy(module, folder):
    """What was not there, and what could not be had."""
    index, problems = Index(module, folder), []
    for each in module.params["sets"]:
        try:
            index.bring(each["packages"], each.get("constraints", []))
        except (OSError, ValueError, tarfile.TarError, zipfile.BadZipFile) as error:
            problems.append("Python packages of %s: %s" % (each["name"], " ".join(str(error).split())))
    pages = [] if module.check_mode else index.describe()
    return list(dict.fromkeys(index.copied or pages)), problems


def main():
    module = AnsibleModule(
        argument_spec={
            "directory": {"type": "path", "required": True},
            "url": {"type": "str", "default": ""},
            "publisher": {"type": "str", "default": "https://pypi.org/simple"},
            "sets": {"type": "list", "elements": "dict", "required": True},
            "python": {"type": "path", "default": "/opt/ansible-runtime/bin/python"},
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
