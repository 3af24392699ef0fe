"""The keys that API servers encrypt Secrets with: what their file says, and what the one of this host has read."""

from __future__ import annotations

import os
import re

from ansible_collections.playsmith.host.plugins.module_utils import etcd
from ansible_collections.playsmith.host.plugins.module_utils.control_plane import (
    KEYS,
    api_answers,
    argument,
    has,
    restart_api_server,
    running,
)
from ansible_collections.playsmith.host.plugins.module_utils.host import read, write
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure, wait

PLAIN = ("identity", "", "")


def keys_in(text):
    """Provider, name and key of each in their order: the first is for what is written. Without encryption it is PLAIN."""
    keys, provider, name = [], "", ""
    for line in text.replace('"', "").splitlines():
        found = re.fullmatch(r" *-? *(secretbox|aescbc|identity|name|secret): *(\S*).*", line)
        field, value = found.groups() if found else ("", "")
        if field == "identity":
            keys.append(PLAIN)
        elif field == "name":
            name = value
        elif field == "secret":
            keys.append((provider, name, value))
        else:
            provider = field or provider
    return keys


def text_with(keys, comments=""):
    """The configuration that holds each of these keys once. What is not encrypted can be read with it, whatever is first."""
    held = {}
    for provider, name, key in dict.fromkeys(keys):
        lines = "            - name: %s\n              secret: %s\n" % (name, key)
        held[provider] = held.get(provider, "") + ("" if provider == PLAIN[0] else lines)
    plain = held.pop(PLAIN[0], None) is not None and keys[0] == PLAIN
    providers = ["      - %s:\n          keys:\n%s" % pair for pair in held.items()]
    providers.insert(0 if plain else len(providers), "      - identity: {}\n")
    head = "apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\n"
    return comments + head + "resources:\n  - resources:\n      - secrets\n    providers:\n" + "".join(providers)


def comments_of(text):
    return "".join(line for line in text.splitlines(keepends=True) if line.startswith(("---", "#")))


def meaning(text):
    return [line.rstrip() for line in text.replace('"', "").splitlines() if line and not line.startswith(("---", "#"))]


def is_ours(text):
    """Whether no line is lost of a configuration that is written anew."""
    return meaning(text) == meaning(text_with(keys_in(text)))


def loaded():
    """A container keeps the file that was there when it was made, and the API server reads it once."""
    return [
        key for _, process in running("kube-apiserver") for key in keys_in(read("/proc/%d/root%s" % (process, KEYS)))
    ]


def is_told():
    return argument("kube-apiserver", "encryption-provider-config") == KEYS


def require_told(seconds=330):
    """Refuses an API server that cannot be given keys, or whose keys somebody else wrote: one could be lost.

    Where a run was cut while it restarted, the kubelet may wait five minutes before it starts it again.
    """
    if not has("kube-apiserver"):
        raise Failure("it is no control plane yet, see npx task run")
    if not is_told() or not os.path.exists(KEYS):
        raise Failure("its API server knows of no encrypted Secrets yet: npx task reconfigure brings that")
    if not is_ours(read(KEYS)):
        says = "%s is not as Playsmith writes it, and a key in it could be lost: nothing was changed; compare it with "
        raise Failure(says % KEYS + "files/control-plane/encryption.yaml.j2 of the bundle")
    wait(seconds, etcd.answers, "the etcd member does not answer, or has no quorum")
    wait(seconds, api_answers, "the API server is not ready")
    if not loaded():
        raise Failure("which keys the API server has cannot be read: does it run, see crictl ps --all")


def bring(keys):
    """Gives the API server these keys, and those that it and its file have besides."""
    held = [*keys, *keys_in(read(KEYS)), *loaded()]
    text = text_with(held, comments_of(read(KEYS)))
    write(KEYS, text)
    restart_api_server()
    wanted = keys_in(text)
    # The kubelet waits longer each time before it starts again what has ended often.
    says = "the API server did not come back with the key, see crictl ps --all"
    wait(400, lambda: loaded() == wanted and api_answers(), says)
