#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: service_info
short_description: Reads whether a service is installed, runs, begins at boot, answers, and has read its configuration
version_added: 0.1.0
options:
  name: {description: "The unit of systemd, which is also the name of the package.", type: str, required: true}
  configuration: {description: The file that the service reads when it starts or reloads., type: path, required: true}
  files:
    description: What lies on the host for the service, as M(playsmith.host.files) takes it.
    type: list
    elements: dict
    default: []
    suboptions:
      path: {description: Where it lies., type: str, required: true}
      content: {description: Its whole text., type: str}
      mode: {description: "Its permissions, in octal digits.", type: str}
  question:
    description: A program of Perl that succeeds where the service answers within the seconds that it is given; without one, each does.
    type: str
    default: ""
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Read what HAProxy is
  playsmith.host.service_info:
    name: haproxy
    configuration: /etc/haproxy/haproxy.cfg
"""

RETURN = r"""
installed: {description: Whether the package is installed as a whole., type: bool, returned: success}
active: {description: Whether the service runs., type: bool, returned: success}
started: {description: "Whether the service runs, and begins at boot.", type: bool, returned: success}
unread: {description: Whether the configuration is newer than what the service read., type: bool, returned: success}
answers: {description: Whether the service answers O(question)., type: bool, returned: success}
settled: {description: "Whether nothing is left to do, and its files are as wanted.", type: bool, returned: success}
"""

from subprocess import DEVNULL, run

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils import text_files
from ansible_collections.playsmith.host.plugins.module_utils.host import is_unread, said


def is_installed(name):
    return said("dpkg-query", "--show", "--showformat=${db:Status-Status}", name) == "installed"


def states(name):
    """Whether it runs, and whether it does and begins at boot."""
    found = said("systemctl", "show", "--property", "ActiveState,UnitFileState", name).split()
    is_active = "ActiveState=active" in found
    return {"active": is_active, "started": is_active and "UnitFileState=enabled" in found}


def answers(question):
    if not question:
        return True
    try:
        asked = run(["perl", "-", "10"], input=question.encode(), check=False, stdout=DEVNULL, stderr=DEVNULL)
    except OSError:
        return False
    return asked.returncode == 0


def main():
    module = AnsibleModule(
        argument_spec={
            "name": {"type": "str", "required": True},
            "configuration": {"type": "path", "required": True},
            "files": {"type": "list", "elements": "dict", "default": [], "options": text_files.FILE},
            "question": {"type": "str", "default": ""},
        },
        supports_check_mode=True,
    )
    name, path = module.params["name"], module.params["configuration"]
    found = {"installed": is_installed(name), **states(name), "unread": is_unread(name, path)}
    found["answers"] = answers(module.params["question"])
    is_ready = found["installed"] and found["started"] and found["answers"] and not found["unread"]
    settled = is_ready and all(map(text_files.is_as_wanted, module.params["files"]))
    # The texts are in the bundle: a record of the run needs no second copy.
    module.exit_json(changed=False, settled=settled, invocation={"module_args": {"name": name}}, **found)


if __name__ == "__main__":
    main()
