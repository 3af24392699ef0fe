#!/usr/bin/python

from __future__ import annotations

DOCUMENTATION = r"""
module: encryption_keys
short_description: Brings another key to API servers that encrypt Secrets, or lets them encrypt none any more
version_added: 0.1.0
description:
  - One step at a time, so that no Secret is ever stored in a way that some API server cannot read. All of them can read with a
    key before the first one writes with it; all of them have written with it before what is stored is stored anew; only then
    the other keys are forgotten.
  - Whichever step was cut is done again, and the keys that are there meanwhile stay.
  - Without O(configuration) no Secret is to be encrypted any more.
options:
  configuration:
    description: The text of the EncryptionConfiguration that is wanted in the end.
    type: str
    default: ""
  state:
    description:
      - V(known) refuses an API server that cannot be given a key, and changes nothing.
      - V(readable) lets the API server read with the wanted key besides those that it has.
      - V(first) lets it write with the wanted key.
      - V(stored) has every Secret stored anew that etcd holds otherwise.
      - V(alone) forgets every other key.
    type: str
    choices: [known, readable, first, stored, alone]
    required: true
author: Playsmith
attributes: {check_mode: {support: full}, diff_mode: {support: none}}
"""

EXAMPLES = r"""
- name: Let the API server write with the key
  playsmith.host.encryption_keys:
    configuration: "{{ lookup('ansible.builtin.template', 'encryption.yaml.j2') }}"
    state: first
  no_log: true
"""

RETURN = r"""
stored: {description: How many Secrets were stored anew., type: int, returned: success}
"""

from ansible.module_utils.basic import AnsibleModule
from ansible_collections.playsmith.host.plugins.module_utils.control_plane import KEYS
from ansible_collections.playsmith.host.plugins.module_utils.encryption import (
    PLAIN,
    bring,
    comments_of,
    is_told,
    keys_in,
    loaded,
    require_told,
    text_with,
)
from ansible_collections.playsmith.host.plugins.module_utils.host import read, write
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure
from ansible_collections.playsmith.host.plugins.module_utils.stored_secrets import store_all_anew, stored_otherwise


def readable(key, dry):
    if key in loaded():
        return False
    if not dry:
        # Behind those that are there: nobody writes with it yet.
        bring([*loaded(), *keys_in(read(KEYS)), key])
    return True


def first(key, dry):
    if loaded()[:1] == [key]:
        return False
    if not dry:
        bring([key])
    return True


def alone(given, dry):
    """What an API server still has in memory beside its key does no harm."""
    present = read(KEYS)
    wanted = given.rstrip("\n") + "\n" if given else text_with([PLAIN], comments_of(present))
    # To the byte, since who joins or looks for drift compares sums of it.
    if present == wanted:
        return False
    if not dry:
        write(KEYS, wanted)
    return True


def settle(given, dry):
    """Whether anything is brought, and how many Secrets are stored anew."""
    text, state = given["configuration"], given["state"]
    key = (keys_in(text) or [PLAIN])[0]
    if text and key == PLAIN:
        raise Failure("the configuration holds no key")
    if key == PLAIN and not is_told():
        # It was brought to its end already.
        return False, 0
    if state == "known":
        require_told()
        return False, 0
    if state == "stored":
        count = sum(1 for _ in stored_otherwise(key)) if dry else store_all_anew(key)
        return count > 0, count
    return (alone(text, dry) if state == "alone" else {"readable": readable, "first": first}[state](key, dry)), 0


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "configuration": {"type": "str", "default": "", "no_log": True},
            "state": {"type": "str", "choices": ["known", "readable", "first", "stored", "alone"], "required": True},
        },
        supports_check_mode=True,
    )
    try:
        changed, stored = settle(module.params, module.check_mode)
    except Failure as error:
        module.fail_json(msg=str(error))
    module.exit_json(changed=changed, stored=stored)


if __name__ == "__main__":
    main()
