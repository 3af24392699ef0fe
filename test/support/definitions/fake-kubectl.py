#!/usr/bin/python3
"""
A stand-in for kubectl and the cluster behind it: objects in `there.json` beside it, calls in `asked`. Deployments are
ready at once, unless their image is called missing; tenants reach their own namespace alone.
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PLURALS = {"networkpolicies": "NetworkPolicy", "storageclass": "StorageClass", "serviceaccount": "ServiceAccount"}


def load(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return json.load(file)


def save(name, data):
    with open(os.path.join(HERE, name), "w", encoding="utf-8") as file:
        json.dump(data, file)


def key(thing):
    return [thing["kind"], thing["metadata"].get("namespace", ""), thing["metadata"]["name"]]


def fail(text):
    sys.stderr.write(text + "\n")
    sys.exit(1)


def option(name, default=""):
    found = [word.split("=", 1)[1] for word in words if word.startswith("--%s=" % name)]
    return found[0] if found else default


def given():
    data = json.load(sys.stdin)
    return data["items"] if data["kind"] == "List" else [data]


def with_status(thing, old):
    """What controllers would make of it."""
    generation = (old or {}).get("metadata", {}).get("generation", 0)
    if old is None or old.get("spec") != thing.get("spec"):
        generation += 1
    thing["metadata"] = dict(thing["metadata"], uid="uid-%s-%s" % (thing["kind"], thing["metadata"]["name"]), generation=generation)
    if thing["kind"] == "Deployment":
        count = thing["spec"].get("replicas", 1)
        image = thing["spec"]["template"]["spec"]["containers"][0]["image"]
        ready = 0 if "missing" in image else count
        thing["status"] = {"observedGeneration": generation, "replicas": count, "updatedReplicas": count, "availableReplicas": ready, "readyReplicas": ready}
    elif thing["kind"] == "PersistentVolumeClaim":
        thing["status"] = {"phase": "Pending" if "unbound" in thing["metadata"]["name"] else "Bound"}
    else:
        thing["status"] = (old or {}).get("status", {"phase": "Active"} if thing["kind"] == "Namespace" else {})
    return thing


def pods_of(things):
    for thing in things:
        if thing["kind"] != "Deployment":
            continue
        for number in range(thing["spec"].get("replicas", 1)):
            name = "%s-%d" % (thing["metadata"]["name"], number)
            bad = "missing" in thing["spec"]["template"]["spec"]["containers"][0]["image"]
            waiting = {"waiting": {"reason": "ImagePullBackOff", "message": "not found"}}
            yield {
                "apiVersion": "v1", "kind": "Pod", "spec": {"nodeName": "worker1"},
                "metadata": {
                    "name": name, "namespace": thing["metadata"]["namespace"],
                    "uid": "pod-%s-%d" % (name, len([1 for each in load("gone.json") if each == name])),
                    "ownerReferences": [{"uid": thing["metadata"]["uid"]}],
                },
                "status": {
                    "phase": "Pending" if bad else "Running",
                    "conditions": [{"type": "Ready", "status": "False" if bad else "True"}],
                    "containerStatuses": [{"name": "main", "ready": not bad, "restartCount": 0, "state": waiting if bad else {"running": {}}}],
                },
            }


def tenant_namespace():
    """Of whom the call is made: the administrator, a token in a kubeconfig, or somebody impersonated."""
    file = option("kubeconfig")
    impersonated = option("as")
    if impersonated:
        return impersonated.split(":")[2]
    if file.endswith("admin.conf"):
        return ""
    if os.stat(file).st_mode & 0o777 != 0o600:
        fail("the kubeconfig of a tenant can be read by others")
    with open(file, encoding="utf-8") as opened:
        return json.load(opened)["users"][0]["user"]["token"]


def allowed(thing):
    namespace = tenant_namespace()
    if namespace and thing["metadata"].get("namespace") != namespace:
        fail('Error from server (Forbidden): %s is forbidden: User "%s"' % (thing["kind"], namespace))
    space = ["Namespace", "", thing["metadata"].get("namespace", "")]
    if space[2] and space not in [key(each) for each in there]:
        fail('Error from server (NotFound): namespaces "%s" not found' % space[2])


words = sys.argv[1:]
there = load("there.json")
plain = [word for word in words if not word.startswith("--")]
with open(os.path.join(HERE, "asked"), "a", encoding="utf-8") as log:
    log.write(" ".join(words) + "\n")
verb = plain[0]

if verb == "config":
    print(json.dumps({"clusters": [{"name": "kubernetes", "cluster": {"server": "https://127.0.0.1:6443"}}]}))
elif verb == "create":
    seconds = json.load(sys.stdin)["spec"]["expirationSeconds"]
    print(json.dumps({"status": {"token": plain[1].split("/")[4], "expirationTimestamp": "in %d s" % seconds}}))
elif verb == "api-resources":
    print("configmaps\npersistentvolumeclaims\nsecrets\nservices\nserviceaccounts\ndeployments.apps\npods")
elif verb == "apply":
    result = []
    for thing in given():
        if thing["kind"] != "Namespace":
            allowed(thing)
        old = [each for each in there if key(each) == key(thing)]
        fresh = with_status(dict(thing), old[0] if old else None)
        result.append(fresh)
        if "--dry-run=server" not in words:
            there = [each for each in there if key(each) != key(thing)] + [fresh]
            if thing["kind"] == "Namespace" and not old:
                there.append({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default", "namespace": thing["metadata"]["name"]}})
    save("there.json", there)
    print(json.dumps({"kind": "List", "items": result}))
elif verb == "delete" and "--filename=-" in words:
    for thing in given():
        allowed(thing)
        there = [each for each in there if key(each) != key(thing)]
        if thing["kind"] == "Namespace":
            there = [each for each in there if each["metadata"].get("namespace") != thing["metadata"]["name"]]
    save("there.json", there)
elif verb == "delete" and plain[1] == "pod":
    save("gone.json", load("gone.json") + [plain[2]])
elif verb == "delete":
    there = [each for each in there if key(each) != ["Secret", option("namespace"), plain[2]]]
    save("there.json", there)
elif verb == "get" and "--filename=-" in words:
    wanted = [key(each) for each in given()]
    print(json.dumps({"kind": "List", "items": [each for each in there if key(each) in wanted]}))
elif verb == "get":
    kinds = [word.split(".")[0] for word in plain[1].split(",")]
    names = [PLURALS.get(each, each.rstrip("s")).lower() for each in kinds]
    namespace = option("namespace")
    things = there + list(pods_of(there)) + load("events.json")
    found = [each for each in things if each["kind"].lower() in names and each["metadata"].get("namespace", "") == namespace]
    if len(plain) > 2:
        found = [each for each in found if each["metadata"]["name"] == plain[2]]
        if not found and "--ignore-not-found" not in words:
            fail("Error from server (NotFound): %s not found" % plain[2])
    if option("output") == "name":
        print("\n".join("%s/%s" % (each["kind"].lower(), each["metadata"]["name"]) for each in found))
    elif found or len(plain) <= 2:
        print(json.dumps({"kind": "List", "items": found}))
elif verb == "logs":
    print("cannot open /etc/config: no such file")
else:
    fail("unknown command " + " ".join(words))
