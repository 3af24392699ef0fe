"""A change that Kubernetes would not take, by a kubectl that answers as one does; test/long/cnf.test.ts asks a real cluster."""

import base64
import json
import os
import zlib

import pytest
from ansible_collections.playsmith.host.plugins.module_utils import cnf_client
from ansible_collections.playsmith.host.plugins.modules import cnf

KUBECTL = r"""#!/usr/bin/python3
import json, os, sys
words = [each for each in sys.argv[1:] if not each.startswith(("--kubeconfig", "--request"))]
here = os.path.dirname(os.path.abspath(__file__))
given = sys.stdin.read() if "--filename=-" in words else ""
things = json.loads(given).get("items", []) if given else []
with open(os.path.join(here, "calls"), "a") as calls:
    calls.write(" ".join(words) + "\n")
if words[:2] == ["get", "secret"]:
    print(open(os.path.join(here, "record")).read())
elif words[0] == "get":
    print(json.dumps({"kind": "List", "items": [dict(each, status={}) for each in things]}))
else:
    said = [each["metadata"].get("annotations", {}).get("said") for each in things]
    if any(said):
        sys.exit("\n".join(filter(None, said)))
    print(json.dumps({"kind": "List", "items": things}))
"""


def thing(kind, name, said=None):
    metadata = {"name": name, "namespace": "amf", **({"annotations": {"said": said}} if said else {})}
    return {"apiVersion": "v1", "kind": kind, "metadata": metadata}


SPACE = {
    "apiVersion": "v1",
    "kind": "Namespace",
    "metadata": {"name": "amf", "labels": {"playsmith.io/made-for-cnf": ""}},
}
RECORD = {"namespace": "amf", "serviceAccount": "amf", "revision": 1, "digest": "", "frame": [SPACE], "objects": []}
SELECTOR = 'The Deployment "web" is invalid: spec.selector: Invalid value: {}: field is immutable'
ADDRESS = 'The Service "web" is invalid: spec.clusterIPs[0]: Invalid value: []: primary clusterIP can not be unset'
NO_ROLE = 'Error from server (NotFound): roles.rbac.authorization.k8s.io "new" not found'


class Home:
    """A folder with a kubectl of its own, which keeps what it was called with."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "kubectl").write_text(KUBECTL)
        (folder / "kubectl").chmod(0o755)
        record = {**RECORD, "previous": [], "pending": [], "levels": {}}
        data = base64.b64encode(zlib.compress(json.dumps(record).encode())).decode()
        (folder / "record").write_text(json.dumps({"kind": "Secret", "data": {"record": data}}))

    def changes(self):
        calls = (self.folder / "calls").read_text().splitlines()
        return [each for each in calls if each.split()[0] != "get" and "--dry-run=server" not in each]

    def update(self, *objects, dry=False):
        frame = {"namespace": "amf", "serviceAccount": "amf", "frame": [SPACE], "objects": objects, "scaling": []}
        content = json.dumps({**frame, "name": "amf", "rollback": False, "wait": {}})
        given = {"name": "amf", "prune": True, "rollback": "no", "content": base64.b64encode(content.encode())}
        return cnf.update(cnf_client.Client("/dev/null", "playsmith-amf"), given, dry)


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setitem(cnf_client.ENVIRONMENT, "PATH", "%s:%s" % (tmp_path, os.environ["PATH"]))
    monkeypatch.setenv("PATH", cnf_client.ENVIRONMENT["PATH"])
    return Home(tmp_path)


@pytest.mark.parametrize("dry", [False, True])
def test_all_that_kubernetes_would_not_take_is_told_before_anything_is_changed(home, dry):
    objects = [thing("ConfigMap", "settings"), thing("Deployment", "web", SELECTOR), thing("Service", "web", ADDRESS)]
    with pytest.raises(cnf.Refused) as refused:
        home.update(*objects, dry=dry)
    first, second, advice = str(refused.value).split("\n")
    assert [first, second] == [SELECTOR, ADDRESS]
    assert advice.startswith("Nothing was changed.")
    assert home.changes() == []


def test_what_may_depend_on_another_object_is_no_fault(home, monkeypatch):
    changed = []
    monkeypatch.setattr(cnf, "change", lambda *_: changed.append("all") or [])
    home.update(thing("Role", "new"), thing("RoleBinding", "new", NO_ROLE))
    assert changed == ["all"]
