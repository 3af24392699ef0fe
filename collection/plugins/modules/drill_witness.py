#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: drill_witness
short_description: Asks the endpoint of a cluster as a client does, in the background, and says what a client felt
version_added: 0.1.0
options:
  state:
    description:
      - V(started) starts it, and fails where answers do not come steadily as it is.
      - V(steady) waits until answers come steadily.
      - V(ended) ends it.
    type: str
    choices: [started, steady, ended]
    required: true
  url:
    description: What V(started) asks.
    type: str
  seconds:
    description: For how long V(started) asks at most.
    type: int
    default: 600
  least:
    description: For how many seconds V(steady) waits at least.
    type: float
    default: 8
  most:
    description: For how many seconds V(steady) waits at most.
    type: float
    default: 40
author: Playsmith
attributes: {check_mode: {support: none}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Ask the endpoint in the background
  playsmith.host.drill_witness:
    state: started
    url: https://192.0.2.80:6443/readyz
"""

RETURN = r"""
steady: {description: Whether answers came steadily in time., type: bool, returned: when O(state=steady)}
felt:
  description: How often was C(asked), how often that C(failed), and the C(longest) time in seconds from one answer to the next while it did.
  type: dict
  returned: when O(state=ended)
"""

import inspect

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils import witness
from ansible_collections.playsmith.host.plugins.module_utils.drill_asking import CALM, Asking
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure


def settle(given):
    """(changed, more results)."""
    asking = Asking("playsmith-drill-witness")
    if given["state"] == "ended":
        return True, {"felt": asking.stop()}
    if given["state"] == "steady":
        return False, {"steady": asking.calm_within(given["least"], given["most"])}
    asking.start(inspect.getsource(witness), given["seconds"], given["url"])
    if not asking.calm_within(CALM, 30):
        asking.stop()
        raise Failure("%s does not answer steadily as it is, so nothing was disturbed" % given["url"])
    return True, {}


def main():
    module = AnsibleModule(
        argument_spec={
            "state": {"type": "str", "choices": ["started", "steady", "ended"], "required": True},
            "url": {"type": "str"},
            "seconds": {"type": "int", "default": 600},
            "least": {"type": "float", "default": 8},
            "most": {"type": "float", "default": 40},
        },
        required_if=[("state", "started", ["url"])],
    )
    try:
        changed, more = settle(module.params)
    except Failure as problem:
        module.fail_json(msg=str(problem))
    module.exit_json(changed=changed, **more)


if __name__ == "__main__":
    main()
