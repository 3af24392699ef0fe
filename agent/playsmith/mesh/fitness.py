"""What an execution node has, for whoever asks whether it can run anything."""
import importlib.util
import platform
import shutil
import subprocess
import time

from playsmith.execution import ansible
from playsmith.mesh import receptor
from playsmith.places import private_folder

CERTIFICATE = "/etc/receptor/playsmith/node.crt"


def fitness(places):
    """`clock` and `certificate`, its end: seconds since 1970; `free`: bytes below the directory."""
    private_folder(places.root)
    versions = {name: ansible.version_of(name) for name in ("ansible-core", "ansible-runner")}
    return dict(
        versions,
        runner=importlib.util.find_spec("ansible_runner") is not None,
        receptor=running(),
        python=platform.python_version(),
        free=shutil.disk_usage(places.root).free,
        certificate=certificate_end(),
        collections=collections(),
        clock=time.time(),
    )


def running():
    """The version of the Receptor that runs, which is not the installed one until it begins anew."""
    try:
        return receptor.ask("status").get("Version", "")
    except receptor.LOST:
        return ""


def printed(*argv):
    program = shutil.which(argv[0], path=ansible.search_path())
    if program is None:
        return ""
    return subprocess.run([program, *argv[1:]], capture_output=True, text=True, check=False).stdout.strip()


def certificate_end():
    from cryptography import x509

    with open(CERTIFICATE, "rb") as file:
        found = x509.load_pem_x509_certificate(file.read())
    return found.not_valid_after_utc.timestamp()


def collections():
    """Names and versions of Ansible collections; empty where only ansible-core is there, which is enough."""
    words = (line.split() for line in printed("ansible-galaxy", "collection", "list").splitlines())
    return {each[0]: each[1] for each in words if len(each) == 2 and each[0].count(".") == 1 and each[1][0].isdigit()}
