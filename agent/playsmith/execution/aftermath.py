"""What is left to do when the process of a run was killed: it is done by its keeper, which still has what the run had."""
import os

from playsmith.execution import ansible, closed, copied
from playsmith.fault import Fault
from playsmith.guards import containment, fencing
from playsmith.history import record
from playsmith.messages import send
from playsmith.places import names, read_json


def of(places, request):
    """Ends on the hosts what the run began there, then takes its secrets away. Nothing to do where the run ended by itself."""
    folder = folder_of(places, request)
    found = record.stored(folder) if folder else None
    if found is None or found["ended"] is not None:
        return
    try:
        left = Left(places, folder, request, found).stop_on_hosts(())
        record.save(folder, dict(found, unstopped=left))
    except (Fault, OSError) as error:
        print("nobody could look at the hosts: %s" % error, flush=True)
    containment.end_below()
    record.clean(folder, found["scratch"])
    send.after_run(folder, request)


def folder_of(places, request):
    for name in reversed(names(places.runs(request["cluster"]))[-10:]):
        folder = os.path.join(places.runs(request["cluster"]), name)
        found = read_json(os.path.join(folder, "record.json"))
        if isinstance(found, dict) and found.get("token") == request["token"]:
            return folder
    return None


class Left(ansible.Ansible):
    """The Ansible of a run that began: with its folders, and with no playbook."""

    def __init__(self, places, folder, request, found):
        self.places, self.folder, self.request = places, folder, request
        self.scratch = found["scratch"]
        self.bundle = os.path.join(self.scratch, "bundle")
        copied.require(self.bundle, request["digest"])
        closed.clean_environment(self.bundle, self.scratch, ansible.search_path())
        os.environ[containment.MARK] = request["token"]
        self.fence = fencing.Fence(places, request["cluster"], folder, self.scratch, found["fence"])
        self.inputs = self.inventory_and_variables()
