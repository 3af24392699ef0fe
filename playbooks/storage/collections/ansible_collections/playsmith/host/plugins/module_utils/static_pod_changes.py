"""Replaces static pods of a control plane one after the other, and puts all of them back when one does not become well."""

from __future__ import annotations

import time

from ansible_collections.playsmith.host.plugins.module_utils.host import forget, read, write
from ansible_collections.playsmith.host.plugins.module_utils.kubeadm import KEPT
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure
from ansible_collections.playsmith.host.plugins.module_utils.static_pods import Pod, last_words, path_of


def kept_of(component):
    return "%s%s.yaml" % (KEPT, component)


def replace(component, manifest, seconds):
    """The new pod, once it is well."""
    since = time.time()
    write(path_of(component), manifest)
    Pod(component, manifest).wait(seconds, since)


def take_back(components, seconds):
    """Puts the manifests back that were there before, the last one first; who does not come back is named."""
    lost = []
    for component in reversed(components):
        before = read(kept_of(component))
        try:
            since = time.time() if before != read(path_of(component)) else 0.0
            write(path_of(component), before)
            Pod(component, before).wait(seconds, since)
        except Failure as error:
            lost.append(str(error))
        else:
            forget(kept_of(component))
    return lost


def bring(component, manifest, seconds):
    """One component; what was there before is kept first, and never overwritten by a later try."""
    if not read(kept_of(component)):
        write(kept_of(component), read(path_of(component)))
    if read(path_of(component)) == manifest:
        Pod(component, manifest).wait(seconds)
    else:
        replace(component, manifest, seconds)


def bring_all(changing, wanted, seconds):
    """Those that are changing, as they are wanted; what a run kept that was cut is what is gone back to."""
    since = time.time()
    done = []
    for component in changing:
        done.append(component)
        try:
            bring(component, wanted[component], seconds)
        except Failure as error:
            said = last_words(component, since)
            lost = take_back(done, seconds)
            now = "%s as before" % " and ".join(done) if not lost else "putting it back failed: %s" % "; ".join(lost)
            raise Failure("%s. It said: %s. Put back: %s" % (error, said or "nothing", now)) from None
    forget(*map(kept_of, done))
