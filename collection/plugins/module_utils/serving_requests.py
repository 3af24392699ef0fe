"""Requests of kubelets for the certificates that they serve with: which of them an inventory speaks for, and what is served."""

from __future__ import annotations

import base64
import datetime
import ipaddress
import re
import socket
import ssl

from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure, run
from ansible_collections.playsmith.host.plugins.module_utils.live_cluster import items
from ansible_collections.playsmith.host.plugins.module_utils.requested_names import der_of, names_in

SIGNER = "kubernetes.io/kubelet-serving"
AUTHORITY = "/etc/kubernetes/pki/ca.crt"
PORT = 10250
# What the signer allows, with an RSA key and with another one.
USAGES = ({"digital signature", "key encipherment", "server auth"}, {"digital signature", "server auth"})


def pending():
    """Nobody has decided about them yet."""
    listed = items("certificatesigningrequests", "--field-selector", "spec.signerName=" + SIGNER)
    return [each for each in listed if not each.get("status", {}).get("conditions")]


def node_of(request):
    """The name of the node whose kubelet asks, as the API server knows it; empty: somebody else does."""
    found = re.fullmatch(r"system:node:([a-z0-9.-]+)", request["spec"].get("username", ""))
    return found.group(1) if found and "system:nodes" in request["spec"].get("groups", []) else ""


def read(request):
    """Whom the certificate would be for, and its names and addresses; none for one of another kind."""
    text = base64.b64decode(request["spec"]["request"]).decode(errors="replace")
    subject = run("openssl", "req", "-noout", "-subject", "-nameopt", "RFC2253", text=text).strip()
    names = names_in(der_of(text))
    return subject.partition("=")[2], [name if kind in ("DNS", "IP Address") else None for kind, name in names]


def objection(request, nodes):
    """Why a request is not approved; empty: it is for what the inventory says of the node that asks, and no more."""
    name = node_of(request)
    if name not in nodes:
        return "%s asks, which is no node of the inventory" % request["spec"].get("username", "nobody")
    if set(request["spec"].get("usages", [])) not in USAGES:
        return "it is for %s" % ", ".join(request["spec"].get("usages", []))
    try:
        subject, names = read(request)
    except (Failure, ValueError) as problem:
        return "it cannot be read: %s" % str(problem).splitlines()[-1]
    if subject not in ("CN=system:node:%s,O=system:nodes" % name, "O=system:nodes,CN=system:node:%s" % name):
        return "it is for %s" % subject
    own = {name, *(str(ipaddress.ip_address(address)) for address in nodes[name])}
    others = sorted({str(each) for each in names} - own) if names else ["no name that could be read"]
    return "it is for %s, the inventory says %s" % (", ".join(others), ", ".join(sorted(own))) if others else ""


def fault(address, authority=AUTHORITY, port=PORT):
    """What is wrong with the certificate that a kubelet serves with, and how many days it has left."""
    context = ssl.create_default_context(cafile=authority)
    try:
        plain = socket.create_connection((address, port), timeout=5)
        with plain, context.wrap_socket(plain, server_hostname=address) as channel:
            end = ssl.cert_time_to_seconds(str((channel.getpeercert() or {})["notAfter"]))
    except (OSError, ValueError) as error:
        return getattr(error, "verify_message", "") or str(error), 0
    now = datetime.datetime.now(datetime.timezone.utc).timestamp()
    return "", int((end - now) // 86400)
