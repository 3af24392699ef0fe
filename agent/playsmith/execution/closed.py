"""What keeps the home of our user, and what lies beside Ansible on the server, out of a run."""
import hashlib
import importlib.util
import os
import sys

# Each kind of plugin has a path of its own, and each of those an entry in the home and one below /usr/share.
PLUGINS = (
    "ACTION_PLUGINS BECOME_PLUGINS CACHE_PLUGINS CALLBACK_PLUGINS CLICONF_PLUGINS CONNECTION_PLUGINS DOC_FRAGMENT_PLUGINS "
    "FILTER_PLUGINS HTTPAPI_PLUGINS INVENTORY_PLUGINS LOOKUP_PLUGINS NETCONF_PLUGINS STRATEGY_PLUGINS TERMINAL_PLUGINS "
    "TEST_PLUGINS VARS_PLUGINS LIBRARY MODULE_UTILS ROLES_PATH"
).split()
# Ansible, ansible-runner, and what they import of others, by the names of modules; what is not installed takes no part.
IMPORTED = (
    "ansible ansible_runner jinja2 markupsafe yaml _yaml cryptography cffi _cffi_backend pycparser packaging resolvelib "
    "importlib_resources importlib_metadata zipp pexpect ptyprocess daemon lockfile six typing_extensions"
).split()
DISTRIBUTED = {"ansible": "ansible-core", "ansible_runner": "ansible-runner"}
KEPT = ("HOME", "USER", "LOGNAME", "SHELL", "TZ", "LANG", "LC_ALL", "LC_CTYPE")
# The user's ssh_config may name a ProxyCommand, keys of hosts, and programs; what is needed stands in the inventory.
NO_CONFIG = "-F /dev/null"


def environment(bundle, scratch):
    """Modules and plugins come from Ansible itself or from the bundle, where Ansible looks beside the playbook."""
    empty = os.path.join(scratch, "empty")
    os.makedirs(empty, 0o500, exist_ok=True)
    found = {"ANSIBLE_%s" % name: empty for name in PLUGINS}
    found.update({"ANSIBLE_%s_EXTRA_ARGS" % program: NO_CONFIG for program in ("SSH", "SCP", "SFTP")})
    found.update(
        ANSIBLE_HOME=os.path.join(scratch, "home"),
        ANSIBLE_COLLECTIONS_PATH=os.path.join(bundle, "collections"),
        ANSIBLE_COLLECTIONS_SCAN_SYS_PATH="False",
        PYTHONNOUSERSITE="1",
        PYTHONSAFEPATH="1",
    )
    return found


def clean_environment(bundle, scratch, path):
    """Only what is named here reaches Ansible and, through ansible-runner, its files."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    os.environ.clear()
    os.environ.update(kept, PATH=path, TERM="dumb", PYTHONDONTWRITEBYTECODE="1")
    if "UTF-8" not in (kept.get("LC_ALL") or kept.get("LC_CTYPE") or kept.get("LANG", "")).upper().replace("UTF8", "UTF-8"):
        os.environ["LC_ALL"] = "C.UTF-8"
    os.environ["ANSIBLE_LOCAL_TEMP"] = os.path.join(scratch, "tmp")
    # ansible-runner switches the checking of host keys off unless it is told.
    os.environ.update(ANSIBLE_CONFIG=os.path.join(bundle, "ansible.cfg"), ANSIBLE_HOST_KEY_CHECKING="True", ANSIBLE_NOCOLOR="1")
    os.environ.update(environment(bundle, scratch))


def isolated(program):
    """Its command line by our own isolated Python; a program that is no Python script is left with the environment."""
    with open(program, "rb") as file:
        head = file.read(256).split(b"\n")[:2]
    is_python = head[0].startswith(b"#!") and any(b"python" in line for line in head)
    return [sys.executable, "-I", program] if is_python else [program]


def loaded(program):
    """What a run loads that is not of the bundle, with digests, so that its record tells two servers apart."""
    found = {"python": of_file(sys.executable), "ansible-playbook": of_file(program)}
    for name in IMPORTED:
        spec = importlib.util.find_spec(name)
        if spec is None or not spec.origin:
            continue
        # By its name: a module like six takes itself for a package once it is imported.
        is_package = os.path.basename(spec.origin).startswith("__init__.")
        found[DISTRIBUTED.get(name, name)] = of_folder(os.path.dirname(spec.origin)) if is_package else of_file(spec.origin)
    return found


def of_file(path):
    return {"path": path, "sha256": digest(path)}


def digest(path):
    with open(path, "rb", buffering=0) as file:
        return hashlib.sha256(file.readall()).hexdigest()


def of_folder(folder):
    """Every file but Python's own caches: path and content."""
    whole = hashlib.sha256()
    for where, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if each != "__pycache__")
        inside = where[len(folder):].lstrip("/")
        for name in sorted(files):
            line = "%s %s\n" % (digest("%s/%s" % (where, name)), os.path.join(inside, name))
            whole.update(line.encode("utf-8", "surrogateescape"))
    return {"path": folder, "sha256": whole.hexdigest()}
