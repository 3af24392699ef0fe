#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: kubelet_patch
short_description: Makes of the settings of all kubelets those of one that differs
version_added: 0.1.0
description:
  - Has the kubeadm of the host apply a patch to a configuration of the kubelet, and keeps the patch where kubeadm finds it at
    the next upgrade. The kubelet itself is left as it is.
  - Without a patch what an earlier one left is forgotten. A host that is no node yet is left alone.
options:
  node:
    description: The name of its node.
    type: str
    required: true
  text:
    description: The configuration that all kubelets have.
    type: str
    required: true
  patch:
    description: A KubeletConfiguration with the fields that differ.
    type: str
    default: ""
  folder:
    description: Where kubeadm looks for patches.
    type: path
    required: true
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Merge the kubelet settings of this node
  playsmith.host.kubelet_patch:
    node: "{{ inventory_hostname }}"
    text: "{{ wanted }}"
    patch: "{{ lookup('file', 'files/kubelet.yaml') }}"
    folder: /etc/kubernetes/playsmith/patches
"""

RETURN = r"""
text: {description: The configuration of this kubelet., type: str, returned: success}
"""

import os
import tempfile

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.host import forget, read, write
from ansible_collections.playsmith.host.plugins.module_utils.kubeadm import is_begun, made
from ansible_collections.playsmith.host.plugins.module_utils.kubelet import OWN, PATH
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure, run

# The name tells kubeadm what it is for and how it is meant.
NAME = "kubeletconfiguration+merge.yaml"
FRAME = """apiVersion: kubeadm.k8s.io/v1beta4
kind: InitConfiguration
nodeRegistration:
  name: %s
  criSocket: unix:///run/containerd/containerd.sock
patches:
  directory: %s
---
apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
kubernetesVersion: %s
certificatesDir: %s
---
"""


def patched(node, text, patch):
    with tempfile.TemporaryDirectory(prefix="playsmith-", dir="/run") as folder:
        write(os.path.join(folder, NAME), patch)
        version = run("kubeadm", "version", "--output", "short").strip()
        # A worker has the certificate of the authority and not its key, which kubeadm would take for one kept elsewhere.
        frame = FRAME % (node, folder, version, folder)
        return made(frame + text, "kubelet-start")["config.yaml"]


def settle(given, dry):
    if not given["text"] or not is_begun(PATH, OWN):
        return False, given["text"]
    path, patch = os.path.join(given["folder"], NAME), given["patch"]
    stale = read(path) != patch
    if stale and not dry:
        os.makedirs(given["folder"], mode=0o700, exist_ok=True)
        if patch:
            write(path, patch)
        else:
            forget(path)
    return stale, patched(given["node"], given["text"], patch) if patch else given["text"]


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "node": {"type": "str", "required": True},
            "text": {"type": "str", "required": True},
            "patch": {"type": "str", "default": ""},
            "folder": {"type": "path", "required": True},
        },
        supports_check_mode=True,
    )
    try:
        changed, text = settle(module.params, module.check_mode)
    except Failure as error:
        module.fail_json(msg=str(error))
    module.exit_json(changed=changed, text=text)


if __name__ == "__main__":
    main()
