/**
 * What stands in for the program `openstack`: it keeps flavors, images, templates and clusters in a file, checks what it is asked as
 * Magnum and the driver would, records it, and lets time pass by the number of questions. A file `trouble` beside it makes
 * the next change fail, or never end.
 */
export const openstackStandIn = (folder: string): string => `#!/usr/bin/python3 -IS
import json, os, re, sys
FOLDER = ${JSON.stringify(folder)}
words = sys.argv[1:]
def say(text):
    print(text, file=sys.stderr); sys.exit(1)
def load(name, empty):
    try:
        with open(os.path.join(FOLDER, name)) as file: return json.load(file)
    except FileNotFoundError: return empty
state = load("cloud.json", {"flavors": [], "images": [], "templates": [], "clusters": []})
trouble = load("trouble", {})
if words[:2] != ["--os-cloud", "default"]: say("Cloud default was not asked for")
words = words[2:]
JSON = "-f" in words
if JSON: words = words[:words.index("-f")] + words[words.index("-f") + 2:]
def option(name, need=False):
    if name not in words:
        if need: say("the following arguments are required: " + name)
        return ""
    return words[words.index(name) + 1]
def options(name): return [words[at + 1] for at, word in enumerate(words) if word == name]
def labels():
    given = options("--labels")
    if len(given) == 1 and given[0].count("=") > 1: say("labels must be a list of KEY=VALUE")
    return dict(each.split("=", 1) for each in given)
def named(kind, ident):
    found = [each for each in state[kind] if ident in (each["uuid"], each["name"])]
    if len(found) != 1: say("No or several %s with %s" % (kind, ident))
    return found[0]
def fresh(): return "%08d-0000-4000-8000-000000000000" % (sum(len(each) for each in state.values() if isinstance(each, list)) + state.setdefault("made", 0))
def out(value): print(json.dumps(value))
def settle(cluster):
    cluster["left"] = cluster.get("left", 0) - 1
    if trouble.get("stuck") or cluster["left"] > 0: return
    if cluster["status"] == "DELETE_IN_PROGRESS": state["clusters"].remove(cluster); return
    # As magnum-capi-helm: it is complete before its control planes are replaced.
    if cluster["left"] < -1 or cluster["status"] == "CREATE_IN_PROGRESS": cluster["coe_version"] = named("templates", cluster["cluster_template_id"])["labels"]["kube_tag"]
    if not cluster["status"].endswith("IN_PROGRESS"): return
    cluster["updated_at"] = str(int(cluster["updated_at"]) + 1)
    if trouble.get("fails"):
        cluster.pop("coming", None); cluster.update(status=cluster["status"].replace("IN_PROGRESS", "FAILED"), status_reason=trouble["fails"])
    elif cluster["status"].endswith("IN_PROGRESS"):
        cluster.update(status=cluster["status"].replace("IN_PROGRESS", "COMPLETE"), **cluster.pop("coming", {}))
        cluster["health_status"] = "HEALTHY"
def group(cluster, name):
    if name not in cluster["groups"]: say("Nodegroup %s could not be found. (HTTP 404)" % name)
    return cluster["groups"][name]
def summed(cluster):
    has = cluster["groups"]
    return dict(cluster, master_count=has["default-master"]["node_count"], node_count=sum(each["node_count"] for each in has.values() if each["role"] == "worker"))
if words[:2] in (["flavor", "create"], ["image", "create"], ["image", "set"], ["image", "delete"]) or words[0] == "coe" and words[-2:][0] not in ("list", "show") and "list" not in words and "show" not in words:
    with open(os.path.join(FOLDER, "requests"), "a") as file: file.write(" ".join(words) + "\\n")
    state["made"] = state.get("made", 0) + 1
head = " ".join(words[:2])
def properties(): return dict(each.split("=", 1) for each in options("--property"))
if head == "flavor list": out([{"ID": each["uuid"], "Name": each["name"]} for each in state["flavors"]])
elif head == "flavor show": out(named("flavors", words[2]))
elif head == "flavor create":
    state["flavors"].append({"uuid": fresh(), "name": words[2], "vcpus": int(option("--vcpus", True)), "ram": int(option("--ram", True)), "disk": int(option("--disk", True))})
elif head == "image list": out([{"ID": each["uuid"], "Name": each["name"]} for each in state["images"] if each["name"] == option("--name")])
elif head == "image show":
    image = named("images", words[2]); out(dict(image, id=image["uuid"]))
elif head == "image create":
    data = sys.stdin.buffer.read()
    if not data: say("no data was given")
    state["images"].append({"uuid": fresh(), "name": words[2], "status": "active", "size": len(data), "properties": properties()})
elif head == "image set": named("images", words[2])["properties"].update(properties())
elif head == "image delete": state["images"].remove(named("images", words[2]))
elif words[:4] == ["coe", "cluster", "template", "list"]: out([{"uuid": each["uuid"], "name": each["name"]} for each in state["templates"]])
elif words[:4] == ["coe", "cluster", "template", "show"]: out(named("templates", words[4]))
elif words[:4] == ["coe", "cluster", "template", "create"]:
    image = named("images", option("--image", True))
    if option("--image") != image["uuid"]: say("Image %s could not be found" % option("--image"))
    if not image["properties"].get("os_distro"): say("Cluster type (vm, Unset, kubernetes) not supported (HTTP 400)")
    if option("--network-driver") not in ("calico", "cilium"): say("Network driver type is not supported (HTTP 400)")
    option("--external-network", True)
    if "--master-lb-enabled" not in words: say("the driver wants a load balancer")
    state["templates"].append({"uuid": fresh(), "name": words[4], "labels": labels(), "driver": image["properties"].get("magnum_driver"), "flavor_id": option("--flavor"), "master_flavor_id": option("--master-flavor")})
elif words[:3] == ["coe", "cluster", "list"]: out([{"uuid": each["uuid"], "name": each["name"]} for each in state["clusters"]])
elif words[:3] == ["coe", "cluster", "show"]:
    cluster = named("clusters", words[3]); out(summed(cluster)); settle(cluster)
elif words[:3] == ["coe", "cluster", "create"]:
    template = named("templates", option("--cluster-template", True))
    masters = int(option("--master-count") or 1)
    if masters % 2 == 0: say("ClusterMasterCountEven")
    # Without the option the template's labels are lost.
    said = dict(template["labels"], **labels()) if not labels() or "--merge-labels" in words else labels()
    state["clusters"].append({"uuid": fresh(), "name": words[3], "status": "CREATE_IN_PROGRESS", "status_reason": None, "left": trouble.get("asked", 2), "stack_id": "kube-" + words[3][:5],
        "labels": said, "keypair": option("--keypair") or None,
        "groups": {name: {"uuid": name, "name": name, "role": role, "node_count": count, "flavor_id": template["flavor_id"]} for name, role, count in
            (("default-master", "master", masters), ("default-worker", "worker", int(option("--node-count") or 1)))},
        "updated_at": "0", "flavor_id": template["flavor_id"], "master_flavor_id": template["master_flavor_id"], "cluster_template_id": template["uuid"], "health_status": None, "faults": ""})
elif words[:3] in (["coe", "cluster", "resize"], ["coe", "cluster", "upgrade"]):
    cluster = named("clusters", words[3])
    if not cluster["status"].endswith("_COMPLETE") and [words[2], cluster["status"]] != ["resize", "UPDATE_FAILED"]: say("Update not allowed in status %s (HTTP 400)" % cluster["status"])
    groups = json.loads(json.dumps(cluster["groups"]))
    if words[2] == "resize": group(cluster, option("--nodegroup") or "default-worker"); groups[option("--nodegroup") or "default-worker"]["node_count"] = int(words[4])
    template = named("templates", cluster["cluster_template_id"] if words[2] == "resize" else words[4])
    # magnum-cluster-api writes the version into the labels of the cluster, magnum-capi-helm gives it another template alone.
    newer = {"cluster_template_id": template["uuid"]} if template["driver"] == "k8s_capi_helm_v1" else {"labels": dict(cluster["labels"], kube_tag=template["labels"]["kube_tag"])}
    coming = {"groups": groups} if words[2] == "resize" else newer
    cluster.update(status="UPDATE_IN_PROGRESS", left=2, coming=coming)
elif words[:3] == ["coe", "cluster", "delete"]: named("clusters", words[3]).update(status="DELETE_IN_PROGRESS", left=2)
elif words[:3] == ["coe", "nodegroup", "create"]:
    cluster = named("clusters", words[3])
    if not cluster["status"].endswith("_COMPLETE"): say("Cluster api_address is not available yet (HTTP 400)")
    groups = dict(cluster["groups"], **{words[4]: {"uuid": words[4], "name": words[4], "role": "worker", "node_count": int(option("--node-count") or 1), "flavor_id": option("--flavor")}})
    cluster.update(status="UPDATE_IN_PROGRESS", left=2, coming={"groups": groups})
elif words[:3] == ["coe", "nodegroup", "list"]:
    cluster = named("clusters", words[3]); out([dict(each, status=cluster["status"]) for each in cluster["groups"].values()])
elif words[:3] == ["coe", "nodegroup", "show"]: out({"name": group(named("clusters", words[3]), words[4])["name"], "status": named("clusters", words[3])["status"], "status_reason": "MachineDeployment has 0 of 2 replicas"})
elif head == "server list": out([{"ID": "s1", "Name": option("--name")[1:] + "-worker-1"}] if trouble else [])
elif head == "server show": out({"fault": {"message": "No valid host was found."}})
elif head == "loadbalancer list": out([{"name": "k8s-clusterapi-cluster-magnum-system-kube-demo-kubeapi", "provisioning_status": "ERROR" if trouble else "ACTIVE"}])
else: say("openstack: '%s' is not an openstack command" % " ".join(words))
with open(os.path.join(FOLDER, "cloud.json.partial"), "w") as file: json.dump(state, file)
os.rename(os.path.join(FOLDER, "cloud.json.partial"), os.path.join(FOLDER, "cloud.json"))
`;
