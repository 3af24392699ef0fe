"""Secrets of a run that has no client: files in a folder that the definition names, put there by whoever may."""
import os
import stat

from playsmith.fault import Fault
from playsmith.yaml_text import yaml_text

LONGEST = 64 * 1024


def read(folder, variables):
    """Variable to value; all that is wrong in one fault, without any value in it."""
    found = {name: of_file(os.path.join(os.path.expanduser(folder), name)) for name in variables}
    wrong = ["%s: %s" % (name, reason) for name, (value, reason) in sorted(found.items()) if reason]
    if wrong:
        message = "Secrets that jobs at set times need are not in %s" % (folder or "any folder")
        step = "Write each into its file there, as the user of the Ansible server and with mode 0600"
        raise Fault("server", message, evidence="\n".join(wrong), next=step)
    return {name: value for name, (value, _) in found.items()}


def of_file(path):
    """The value without the end of its line, or why there is none."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode):
                return "", "it is no file"
            if about.st_uid not in (0, os.getuid()) or about.st_mode & 0o077:
                return "", "others may read or write it (owner %d, mode %04o)" % (about.st_uid, about.st_mode & 0o7777)
            text = file.read(LONGEST + 1).decode()
    except (OSError, UnicodeDecodeError) as error:
        return "", getattr(error, "strerror", None) or "it is no text"
    # As a client takes them.
    value = text[:-1].removesuffix("\r") if text.endswith("\n") else text
    return (value, "") if value and len(text) <= LONGEST else ("", "it is empty, or too long")


def sealed(values):
    """As a client sends them: encrypted under a password of this run alone, with the values that are struck out."""
    if not values:
        return None
    from ansible.parsing.vault import VaultLib, VaultSecret

    password = os.urandom(32).hex()
    text = "".join("%s: !unsafe %s\n" % (name, yaml_text(values[name])) for name in sorted(values))
    vault = VaultLib([("default", VaultSecret(password.encode()))]).encrypt(text.encode())
    return {"vault": vault.decode(), "password": password, "values": list(values.values())}
