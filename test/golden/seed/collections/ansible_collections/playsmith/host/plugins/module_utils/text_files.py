"""Text files of a host as they are wanted: text, mode, and root as the owner."""

from __future__ import annotations

import os
import tempfile

from ansible_collections.playsmith.host.plugins.module_utils.host import is_plain, make_folders

FILE = {"path": {"type": "str", "required": True}, "content": {"type": "str"}, "mode": {"type": "str"}}


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def is_as_wanted(file):
    try:
        before = read(file["path"])
        if file["content"] is None or before is None:
            return file["content"] == before
        return before == file["content"].encode() and is_plain(file["path"], int(file["mode"] or "0644", 8))
    except OSError:
        return False


def write(module, path, text, mode):
    handle, new = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".playsmith-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text)
        os.chmod(new, mode)
        os.chown(new, 0, 0)
        if os.path.exists(path):
            # As it was: what keeps a security context keeps it.
            module.set_context_if_different(new, module.selinux_context(path), False)
        else:
            module.set_default_selinux_context(new, False)
        os.rename(new, path)
    except BaseException:
        os.unlink(new)
        raise


def difference(path, before, after, modes):
    texts = {"before": (before or b"").decode(errors="replace"), "after": after.decode()}
    return {"before_header": path, "after_header": path, **texts, **modes}


def settle(module, wanted, folder_mode):
    """Brings one file that is not so to what is wanted; its difference."""
    path, before, text = wanted["path"], read(wanted["path"]), (wanted["content"] or "").encode()
    if not module.check_mode and wanted["content"] is None:
        os.unlink(path)
    elif not module.check_mode:
        make_folders(os.path.dirname(path), folder_mode)
        write(module, path, text, int(wanted["mode"] or "0644", 8))
    is_same = before == text and wanted["content"] is not None
    modes = {"prepared": path + ": owner or mode"} if is_same else {}
    return difference(path, before, text, modes)


def bring(module, root, files, folder_mode=0o755):
    """Brings files below a root to what is wanted; the differences of those that were not so."""
    differences = []
    for file in ({**file, "path": os.path.realpath(os.path.join(root, file["path"]))} for file in files):
        try:
            differences += [] if is_as_wanted(file) else [settle(module, file, folder_mode)]
        except OSError as error:
            module.fail_json(msg=f"{file['path']}: {error.strerror or error}")
    return differences
