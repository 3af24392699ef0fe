"""The certificate that an API server serves with: which names are in it, and how it is made new beside the old one."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import socket
import ssl
import tempfile
import time

from ansible_collections.playsmith.host.plugins.module_utils.host import forget, read, write
from ansible_collections.playsmith.host.plugins.module_utils.kubeadm import KEPT, init_phase
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure

PKI = "/etc/kubernetes/pki/"
PAIR = ("apiserver.key", "apiserver.crt")
OF_KUBEADM = ["kubernetes", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local"]
KEPT_PAIR = tuple(KEPT + name for name in PAIR)


def spelled(name):
    """One spelling of a name or an address."""
    try:
        return str(ipaddress.ip_address(name))
    except ValueError:
        return name.lower()


def served(address, port):
    """Names and addresses in the certificate that is served there, and the certificate itself."""
    context = ssl.create_default_context(cafile=PKI + "ca.crt")
    context.check_hostname = False
    try:
        with socket.create_connection((address, port), timeout=5) as plain, context.wrap_socket(plain) as channel:
            names = channel.getpeercert().get("subjectAltName", ())
            return {spelled(name) for _, name in names}, channel.getpeercert(True)
    except (OSError, ValueError) as error:
        raise Failure("the API server of this host does not answer at %s: %s" % (address, error)) from None


def make(configuration):
    """A new pair, signed by the authority of the cluster, which is not copied."""
    with tempfile.TemporaryDirectory(prefix="playsmith-", dir="/run") as folder:
        for name in ("ca.crt", "ca.key"):
            os.symlink(PKI + name, os.path.join(folder, name))
        cluster = 'kind: "ClusterConfiguration"\n'
        init_phase(configuration.replace(cluster, '%scertificatesDir: "%s"\n' % (cluster, folder)), "certs apiserver")
        return {name: read(os.path.join(folder, name)) for name in PAIR}


def put(pair):
    for name in PAIR:
        write(PKI + name, pair[name], 0o600 if name.endswith(".key") else 0o644)


def renew(configuration, address, port):
    """
    Replaces the pair, and waits until the API server serves with it, which reads it anew without a restart. One that does
    not gets the old pair back.
    """
    pair = make(configuration)
    for name in PAIR:
        write(KEPT + name, read(PKI + name))
    put(pair)
    wanted = ssl.PEM_cert_to_DER_cert(pair["apiserver.crt"])
    end = time.monotonic() + 120
    while time.monotonic() < end:
        with contextlib.suppress(Failure):
            if served(address, port)[1] == wanted:
                forget(*KEPT_PAIR)
                return
        time.sleep(1)
    take_back_pair()
    raise Failure("the API server did not serve with its new certificate within 120 s, and has the old one again")


def take_back_pair():
    """Puts the pair back that a run kept which did not come to its end."""
    old = {name: read(KEPT + name) for name in PAIR}
    if all(old.values()):
        put(old)
    forget(*KEPT_PAIR)
