"""What playbooks keep on the Ansible server for a person to fetch: kubeconfigs, a file for Tacker, and snapshots of etcd."""
import os
import re

from playsmith.fault import Fault, writing
from playsmith.places import names

FILE = re.compile(r"[A-Za-z0-9][\w.-]*")
FOLDERS = ("", "etcd")
CREDENTIALS = ("kubeconfig", "tenant-kubeconfig", "tacker-vim.yaml")


def listed(places, request):
    """Absolute, since SFTP knows no home; the latest last, as names begin with the time."""
    if request["folder"] not in FOLDERS:
        raise Fault("run", "%r is no folder of what is kept" % request["folder"], next="Look at `npx task --help`")
    folder = os.path.join(places.kept(request["cluster"]), request["folder"]).rstrip("/")
    plain = [name for name in names(folder) if FILE.fullmatch(name) and is_plain(os.path.join(folder, name))]
    return {"folder": folder, "files": plain}


def is_plain(path):
    return os.path.isfile(path) and not os.path.islink(path)


def forget(places, request):
    """Credentials that were fetched lie in one place less."""
    if request["file"] not in CREDENTIALS:
        raise Fault("run", "%r is nothing that is forgotten" % request["file"], next="Look at `npx task --help`")
    path = os.path.join(places.kept(request["cluster"]), request["file"])
    with writing(path):
        try:
            os.unlink(path)
        except FileNotFoundError:
            return {"removed": False}
    return {"removed": True}
