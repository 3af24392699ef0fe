"""Writes what `bootstrap` may install by pip: exact versions, each with the checksums of its wheels.

    python3 scripts/lock-python.py [a clone of kubespray]
    python3 scripts/lock-python.py tacker       what test/long/openstack/tacker.test.ts runs
    python3 scripts/lock-python.py magnum CLONE    what test/long/openstack/magnum.test.ts runs, by a clone of openstack/requirements

Needs `uv` and the package index. Reads the versions that `releases.ts` and `commits.ts` of the catalog name, and writes
`templates/bootstrap/requirements/` and `generators/catalog/python/wheels.ts`, which are committed and reviewed.
"""

import functools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEMPLATES = ROOT / "templates/bootstrap/requirements"
TABLE = ROOT / "generators/catalog/python/wheels.ts"
OPENSTACK = ROOT / "test/support/openstack"
INDEX = "https://pypi.org/simple"
# Debian, Ubuntu and the RHEL family, on the two architectures of their images.
PLATFORM = re.compile(r"-(?:none-any|(?:cp3(?:9|1[0-5])|abi3)-manylinux.*_(?:x86_64|aarch64))\.whl$")
PYTHON_OF_WHEEL = re.compile(r"-cp3(9|1[0-5])-(?:cp3|abi3)")
# What ansible-core 2.16 to 2.20 and ansible-runner want, in versions that suit all of them.
SHARED = ["cryptography", "jinja2", "packaging", "pexpect", "python-daemon", "pyyaml", "resolvelib<1.1", "six"]
# A Tacker, what it needs of OpenStack, and its clients. Of kubernetes it reads `dict[str, str]`, as 36 alone writes it.
TACKER = ["tacker==16.0.0", "keystone==30.0.0", "barbican==23.0.0", "kubernetes==36.*", "waitress"]
TACKER += ["python-openstackclient", "python-tackerclient"]
# Magnum with the driver that OpenStack-Ansible 2026.1 pins, in the versions that this release of OpenStack was tested with,
# and the APIs below it.
MAGNUM = ["magnum==22.*", "magnum-cluster-api==0.36.6", "magnum-capi-helm==1.4.0", "keystone==29.*", "glance==32.*"]
MAGNUM += ["neutron==28.*", "nova==33.*", "cinder==28.*", "octavia==18.*", "pymysql", "waitress", "sortedcontainers", "setuptools<81"]
# What has no wheel: Debian's is taken, or nothing of it is called; or was tested in a version that has none: another one is.
SOURCES, UNTESTED = ["ovs", "simplegeneric", "ncclient", "haproxyadmin"], ["testresources"]
CLIENT = ["python-openstackclient", "python-magnumclient", "python-octaviaclient"]
PROGRAMS = {"ansible-core": r"2\.(?:1[6-9]|2\d)\.\d+", "ansible-runner": r"2\.(?:3\.[6-9]|4\.\d+)"}


@functools.cache
def files_of(package):
    """All files of a package that the index has, by PEP 691."""
    accepted = {"Accept": "application/vnd.pypi.simple.v1+json"}
    with urllib.request.urlopen(urllib.request.Request(f"{INDEX}/{package}/", headers=accepted)) as answer:
        return json.load(answer)["files"]


def spelled(name):
    return re.sub(r"[-_.]+", "_", name).lower()


def wheels(package, version, least):
    """SHA-256 of the wheels that glibc's Linux installs on Python 3.`least` and later, sorted."""
    found = []
    for file in files_of(package):
        name = file["filename"]
        if not PLATFORM.search(name) or [spelled(each) for each in name.split("-")[:2]] != [
            spelled(package),
            spelled(version),
        ]:
            continue
        python = PYTHON_OF_WHEEL.search(name)
        if python and "abi3" not in name and int(python[1]) < least:
            continue
        found.append(file["hashes"]["sha256"])
    if not found:
        sys.exit(f"{package} {version} has no wheel")
    return sorted(found)


def resolved(requirements, least, constraints=()):
    """Exact versions of all that is wanted, each with its marker, on any Python from 3.`least`."""
    command = ["uv", "pip", "compile", "-", "--universal", "--python-version", f"3.{least}", "--only-binary", ":all:"]
    command += ["--no-annotate", "--no-header", "--quiet", "--default-index", INDEX]
    with tempfile.TemporaryDirectory() as folder:
        for option, lines in (("constraints", constraints), ("overrides", [f"{name} ; python_version < '3'" for name in SOURCES])):
            file = pathlib.Path(folder, option)
            file.write_text("".join(f"{line}\n" for line in lines))
            command += [f"--{option}", str(file)]
        done = subprocess.run(command, input="\n".join(requirements), text=True, capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"{requirements}: {done.stderr}")
    return done.stdout.splitlines()


def locked(lines, least):
    """What pip reads with --require-hashes."""
    text = ""
    for line in lines:
        wanted, _, marker = line.partition(" ; ")
        # Alternatives for PyPy and Windows are nobody's here.
        if re.search(r"(?<!!)= ?'(?:PyPy|win32)'", marker):
            continue
        package, version = wanted.split("==")
        hashes = "".join(f" \\\n    --hash=sha256:{each}" for each in wheels(package, version, least))
        text += wanted + (f" ; {marker}" if marker else "") + hashes + "\n"
    return text


def versions_of(program, pattern):
    names = (
        re.fullmatch(rf"{re.sub('-', '_', program)}-({pattern})-py3-none-any\.whl", each["filename"])
        for each in files_of(program)
    )
    return sorted({each[1] for each in names if each}, key=lambda each: [int(part) for part in each.split(".")])


def write_programs():
    text = "/** SHA-256 of the wheels at the package index, by `scripts/lock-python.py`. */\n// prettier-ignore\n"
    text += "export const wheels: Readonly<Record<'ansible-core' | 'ansible-runner', Readonly<Record<string, string>>>> = {\n"
    for program, pattern in PROGRAMS.items():
        text += f"  '{program}': {{\n"
        for version in versions_of(program, pattern):
            text += f"    '{version}': '{wheels(program, version, 9)[0]}',\n"
        text += "  },\n"
    TABLE.write_text(text + "};\n")
    lines = resolved(SHARED, 10)
    (TEMPLATES / "ansible.txt.hbs").write_text(locked(lines, 10))
    for program, pattern in PROGRAMS.items():
        for minor, last in {each.rsplit(".", 1)[0]: each for each in versions_of(program, pattern)}.items():
            least = 12 if minor.startswith("2.2") and program == "ansible-core" else 11
            wanted = {line.partition("==")[0] for line in resolved([f"{program}=={last}", *lines], least)}
            lacking = wanted - {program} - {line.partition("==")[0] for line in lines}
            if lacking:
                sys.exit(f"{program} {last} wants {lacking} as well: name them in SHARED")


def write_kubespray(clone):
    def git(*words):
        return subprocess.run(["git", "-C", clone, *words], text=True, capture_output=True, check=True).stdout

    commits = (ROOT / "generators/catalog/kubespray/commits.ts").read_text()
    seen = {}
    for tag, commit in re.findall(r"\['(v2\.\d+\.\d+)', '([0-9a-f]{40})'", commits):
        minor = int(tag.split(".")[1])
        if minor < 23:
            continue
        # What 2.14.12 and later refuse, later tags no longer do.
        besides = ["ansible-core<2.14.12"] if tag in ("v2.23.0", "v2.23.1") else []
        wanted = besides + [
            line for line in git("show", f"{commit}:requirements.txt").splitlines() if line and line[0] != "#"
        ]
        seen.setdefault("\n".join(sorted(wanted)), (tag, 9 if minor < 25 else 10 if minor < 31 else 11, []))[2].append(
            tag
        )
    for wanted, (first, least, tags) in seen.items():
        (TEMPLATES / f"kubespray-{first}.txt.hbs").write_text(locked(resolved(wanted.splitlines(), least), least))
        print(f"    [{', '.join(repr(tag) for tag in tags)}],")


def write_magnum(clone, branch):
    """Everything of one release of OpenStack, as it was tested together; and the clients alone."""
    text = subprocess.run(
        ["git", "-C", clone, "show", f"{branch}:upper-constraints.txt"], text=True, capture_output=True, check=True
    ).stdout
    tested = [line for line in text.splitlines() if line.partition("===")[0] not in SOURCES + UNTESTED]
    for name, wanted, least in (("magnum", [*MAGNUM, *CLIENT], 11), ("client", CLIENT, 11)):
        (OPENSTACK / f"requirements-{name}.txt").write_text(locked(resolved(wanted, least, tested), least))


if __name__ == "__main__":
    if sys.argv[1:] == ["tacker"]:
        (OPENSTACK / "requirements-tacker.txt").write_text(locked(resolved(TACKER, 11), 11))
        sys.exit()
    if sys.argv[1:2] == ["magnum"]:
        write_magnum(sys.argv[2], "origin/stable/2026.1")
        sys.exit()
    TEMPLATES.mkdir(parents=True, exist_ok=True)
    write_programs()
    if sys.argv[1:]:
        write_kubespray(sys.argv[1])
