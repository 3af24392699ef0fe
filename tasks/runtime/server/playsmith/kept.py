"""What playbooks keep on the Ansible server for a person to fetch: the kubeconfig, and snapshots of etcd."""
import os
import re

from playsmith.fault import Fault, writing
from playsmith.places import names

FILE = re.compile(r"[A-Za-z0-9][\w.-]*")
FOLDERS = ("", "etcd")


def listed(places, request):
    """Absolute, since SFTP knows no home; the latest last, as names begin with the time."""
    if request["folder"] not in FOLDERS:
        raise Fault("run", "%r is no folder of what is kept" % request["folder"], next="Look at `npx task --help`")
    folder = os.path.join(places.kept(request["cluster"]), request["folder"]).rstrip("/")
    plain = [name for name in names(folder) if FILE.fullmatch(name) and is_plain(os.path.join(folder, name))]
    return {"folder": folder, "files": plain}


def is_plain(path):
    return os.path.isfile(path) and not os.path.islink(path)


def forget_kubeconfig(places, request):
    """Credentials that were fetched lie in one place less."""
    path = os.path.join(places.kept(request["cluster"]), "kubeconfig")
    with writing(path):
        try:
            os.unlink(path)
        except FileNotFoundError:
            return {"removed": False}
    return {"removed": True}
