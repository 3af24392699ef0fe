#!/usr/bin/python3
"""A stand-in for kubectl: knows the nodes that the stand-in for kubespray made, all of them ready."""
import glob
import json
import os
import sys

nodes = {}
for path in sorted(glob.glob("/var/tmp/node-*")):
    with open(path) as file:
        nodes[os.path.basename(path)[5:]] = file.read().strip()
words = " ".join(sys.argv[1:])
if "--raw=/readyz" in words:
    print("ok")
elif "jsonpath" in words:
    print("\n".join(name + " True" for name in nodes))
elif "get nodes" in words:
    ready = [{"type": "Ready", "status": "True"}]
    items = [
        {"metadata": {"name": name}, "status": {"conditions": ready, "nodeInfo": {"kubeletVersion": version}}}
        for name, version in nodes.items()
    ]
    print(json.dumps({"items": items}))
else:
    sys.exit("the stand-in does not know: " + words)
