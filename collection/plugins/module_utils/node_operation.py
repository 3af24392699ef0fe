"""What an operation on nodes does to their cluster, and whether that survives it."""

from __future__ import annotations

from ansible_collections.playsmith.host.plugins.module_utils import etcd
from ansible_collections.playsmith.host.plugins.module_utils.control_plane import api_answers
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import bracketed, is_ready
from ansible_collections.playsmith.host.plugins.module_utils.live_cluster import (
    addresses,
    items,
    moving_pods,
    protecting,
    strict_budgets,
    without_quorum,
)

NOT_CLEANED = (
    "%s does not answer, so it is not cleaned up: reinstall or wipe it before it runs again, "
    "or its kubelet makes it a node again"
)


def others_speak(given, separator="; "):
    """Who may be asked instead of the kubectl host; of an etcd without quorum they know no more."""
    others = [name for name in given["control_planes"] if name not in {*given["targets"], given["kubectl_host"]}]
    says = "let another control plane speak (%s): --kubectl-host, or kubectl_host in a scope by hand"
    return separator + says % ", ".join(others) if others and not without_quorum() else ""


def local_data(pod, claims):
    for volume in pod["spec"].get("volumes", []):
        if "emptyDir" in volume and (volume["emptyDir"] or {}).get("medium", "") != "Memory":
            return "an emptyDir"
        if "hostPath" in volume:
            return "a folder of the host"
        claim = (volume.get("persistentVolumeClaim") or {}).get("claimName")
        if (pod["metadata"]["namespace"], claim) in claims:
            return "a volume that only this node has"
    return ""


def losses_of(pod, claims, budgets):
    """What a pod would lose, each by its kind."""
    name = "%s/%s on %s" % (pod["metadata"]["namespace"], pod["metadata"]["name"], pod["spec"]["nodeName"])
    kept = local_data(pod, claims)
    if kept:
        yield "local-data", "%s keeps data in %s" % (name, kept)
    if not any(owner.get("controller") for owner in pod["metadata"].get("ownerReferences", [])):
        yield "bare-pods", "nobody would start %s again" % name
    for budget in protecting(pod, budgets):
        yield "budgets", "the disruption budget %s protects %s" % (budget, name)


class Operation:
    """An operation, and what the cluster and the targets say of themselves."""

    def __init__(self, given):
        self.given, self.targets = given, given["targets"]
        self.heads, self.workers = given["control_planes"], given["workers"]
        self.leaves = given["operation"] == "scale-in"
        said = {name: given["machines"].get(name) or {} for name in self.targets}
        self.machines = {name: held if "machine" in held else {} for name, held in said.items()}
        self.nodes = {node["metadata"]["name"]: node for node in items("nodes")}
        self.members = etcd.members()

    def owns(self, name, member):
        """A member that never started has no name yet, only the address that it was promised to."""
        peer = "https://%s:2380" % bracketed(self.targets[name])
        return member.get("name") == name or peer in member.get("peerURLs", [])

    def is_same_machine(self, name):
        """The node is what runs on the machine of the definition."""
        node, seen = self.nodes[name], self.machines[name].get("machine", "")
        return seen in ("", node["status"]["nodeInfo"]["machineID"]) and self.targets[name] in addresses(node)

    def where(self, name):
        return ", ".join(addresses(self.nodes[name]))

    def of_newcomer(self, name):
        if name not in self.nodes or self.is_same_machine(name):
            return []
        says = "%s is a node already, on another machine at %s: npx task replace-node %s"
        return [says % (name, self.where(name), name)]

    def of_patient(self, name):
        if not self.machines[name]:
            says = "%s does not answer: switch it on, or give its place to one that does with npx task replace-node"
            return [says % name]
        if name not in self.nodes or self.targets[name] in addresses(self.nodes[name]):
            return []
        return ["the cluster knows %s at %s: npx task replace-node %s" % (name, self.where(name), name)]

    def of_successor(self, name):
        if not self.machines[name]:
            return ["%s does not answer at %s: the new machine has to run first" % (name, self.targets[name])]
        if name not in self.nodes or not is_ready(self.nodes[name]) or self.is_same_machine(name):
            return []
        advice = "switch it off, or take it out with the definition that names it: npx task scale-in " + name
        return ["the machine that is %s until now still runs at %s: %s" % (name, self.where(name), advice)]

    def of_target(self, name):
        """What speaks against it by the operation, and whether it belongs to another cluster."""
        judges = {"scale-out": self.of_newcomer, "heal-node": self.of_patient, "replace-node": self.of_successor}
        problems = [] if self.leaves else judges[self.given["operation"]](name)
        server = self.machines[name].get("server", "")
        if server and server not in self.given["servers"]:
            problems.append("%s belongs to the cluster at %s: take it out there first" % (name, server))
        return problems

    def of_workers(self):
        """Only those that take work count."""
        minimum, others = self.given["minimum"], [name for name in self.workers if name not in self.targets]
        ready = [name for name in others if name in self.nodes and is_ready(self.nodes[name])]
        left = [name for name in ready if not self.nodes[name]["spec"].get("unschedulable")]
        if len(left) >= minimum or not any(name in self.workers for name in self.targets):
            return []
        stay = "only %s would stay" % ", ".join(left) if left else "no worker that is ready would stay"
        return ["%s, and %d is the minimum: node_preflight_minimum says how many are enough" % (stay, minimum)]

    def of_quorum(self, heads):
        """Nothing may be taken out of etcd, or come in again, that leaves fewer healthy members than a majority."""
        mine = [member for member in self.members if any(self.owns(name, member) for name in heads)]
        others = [member for member in self.members if member not in mine]
        well = [member for member in others if etcd.is_healthy(member)]
        sick = ", ".join(member.get("name") or "one that never started" for member in others if member not in well)
        # While the new member starts, the others have to be a majority of all; the second of two is let in without.
        comes = 0 if self.leaves or len(others) == 1 or not any(name in self.heads for name in heads) else 1
        now = len(well) + sum(etcd.is_healthy(member) for member in mine)
        if now < len(self.members) // 2 + 1:
            lost = without_quorum(self.members)
            return [lost or "etcd has lost its quorum: heal %s first" % (sick or "its members")]
        if len(well) < (len(others) + comes) // 2 + 1:
            why = "%s of etcd is sick: heal it first" % sick if sick else "etcd would have no majority without it"
            return ["%s has to wait, %s" % (", ".join(heads), why)]
        return []

    def of_pods(self, out):
        """What pods would lose; a node that is not ready has lost it already."""
        alive = [name for name in out if name in self.nodes and is_ready(self.nodes[name])]
        if not alive:
            return []
        pods, volumes, budgets = moving_pods(alive), items("persistentvolumes"), strict_budgets()
        local = [volume["spec"] for volume in volumes if "local" in volume["spec"] or "hostPath" in volume["spec"]]
        claims = {(spec["claimRef"]["namespace"], spec["claimRef"]["name"]) for spec in local if spec.get("claimRef")}
        said = [each for pod in pods for each in losses_of(pod, claims, budgets)]
        problems = []
        for kind in ("local-data", "bare-pods", "budgets"):
            own = ", ".join(why for each, why in said if each == kind)
            if own and kind not in self.given["despite"]:
                problems.append("%s (node_preflight_despite=%s goes on all the same)" % (own, kind))
        return problems

    def lacks(self, name):
        """Files without which a control plane that serves now would not come back after a restart."""
        return self.machines[name].get("lacking", []) if name in self.heads else []

    def is_whole(self, name):
        """A node that is what the definition says, and healthy."""
        if name not in self.nodes or not is_ready(self.nodes[name]) or not self.is_same_machine(name):
            return False
        own = [member for member in self.members if self.owns(name, member)]
        if name not in self.heads:
            return not own
        if self.lacks(name) or len(own) != 1 or not etcd.is_healthy(own[0]):
            return False
        return api_answers("https://%s:%d" % (bracketed(self.targets[name]), self.given["port"]))

    def is_ours(self, name):
        held = self.machines[name]
        mine = held and (
            held["server"] in self.given["servers"] or held["named"] == self.given["cluster"] or held["ours"]
        )
        return bool(mine and held["traces"])

    def judged(self):
        """What speaks against it, and what has to be done, as M(playsmith.host.node_preflight) returns it."""
        silent = [name for name in self.targets if not self.machines[name]]
        sick = sorted(name for name, node in self.nodes.items() if name not in self.targets and not is_ready(node))
        # Not in yet, or out already: another step is about them.
        known = {*self.targets, *self.nodes}
        outside = sorted(name for name in {*self.heads, *self.workers} if name not in known)
        whole = [name for name in self.targets if self.is_whole(name)]
        goes = self.leaves or self.given["recreate"]
        out = [name for name in self.targets if self.given["operation"] != "scale-out" and (goes or name not in whole)]
        held = {name: ["%x" % int(each["ID"]) for each in self.members if self.owns(name, each)] for name in out}
        heads = [name for name in out if name in self.heads or held[name]]
        here, problems = self.given["kubectl_host"], []
        if here in sick:
            problems.append("%s is not ready itself%s" % (here, others_speak(self.given, ": ")))
        for name in self.targets:
            problems += self.of_target(name)
        if heads and (not self.leaves or any(held[name] for name in heads)):
            problems += self.of_quorum(heads)
        problems += (self.of_workers() if self.leaves else []) + self.of_pods(out)
        notes = [(NOT_CLEANED if self.leaves else "%s does not answer and is left out") % name for name in silent]
        notes += ["%s is not ready, and is left alone" % name for name in sick]
        notes += ["%s is no node of the cluster, and is left alone" % name for name in outside]
        lacking = [(name, self.lacks(name)) for name in out if not self.leaves]
        notes += ["%s lacks %s" % (name, ", ".join(paths)) for name, paths in lacking if paths]
        notes += ["%s is well; nothing of it is taken out" % name for name in whole if name not in out]
        clean = [name for name in out if self.is_ours(name)]
        return problems, dict(notes=notes, out=out, clean=clean, members=held, leave=silent + sick + outside)
