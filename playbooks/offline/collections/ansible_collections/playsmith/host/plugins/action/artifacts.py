"""What the module of the same name does on the Ansible server: it brings the files to the host, which checks and places them."""

from __future__ import annotations

import os

from ansible.plugins.action import ActionBase


class ActionModule(ActionBase):
    # Ansible makes a folder for them on the host, and takes it away after the task, however that ends.
    TRANSFERS_FILES = True

    def run(self, tmp=None, task_vars=None):
        result = super().run(tmp, task_vars)
        if self._task.check_mode:
            return dict(result, changed=True)
        args = self._task.args
        there = self._connection._shell.tmpdir
        for path in {*args.get("files", {}).values(), *args.get("unpack", {}).values()}:
            source = os.path.join(os.path.expanduser(args["folder"]), path)
            self._transfer_file(source, self._connection._shell.join_path(there, path.replace("/", "-")))
        return dict(result, **self._execute_module(module_args={**args, "folder": there}, task_vars=task_vars))
