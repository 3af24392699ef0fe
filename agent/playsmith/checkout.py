"""Whether the files of a checkout are those of a commit or of an archive: compared one by one, without git's index, filters or settings."""
import hashlib
import io
import os
import shutil
import stat
import subprocess
import tarfile

# Operators keep inventories of their own beside these. They are neither read nor copied.
INVENTORIES = ("sample", "local")
SHOWN = 10
CLOSED = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "HOME": os.devnull,
    "LC_ALL": "C",
}


class Differs(Exception):
    """What lies there is not what was named: a sentence, and a line for each file that says so."""

    def __init__(self, message, lines=()):
        super().__init__(message)
        self.lines = list(lines)


def verified(folder, source):
    """Files of the folder by path as (mode, SHA-1 of git), and the id of their tree; or Differs. `source` has `commit` or `tree`,
    or both, or `archive` and its `sha256`."""
    wanted, tree = archived(source) if source.get("archive") else committed(folder, source)
    found = {path: entry for path, entry in files_of(folder).items() if not is_own(path) or path in (wanted or {})}
    made = tree_of(found)
    if made == tree:
        return found, tree
    lines = ["they make the tree %s instead of %s" % (made, tree)] if wanted is None else differences(wanted, found)
    raise Differs("its files are not those of %s" % name_of(source), lines)


def name_of(source):
    return source.get("archive") or ("commit " + source["commit"] if source["commit"] else "tree " + source["tree"])


def is_own(path):
    """Whether it is of an inventory that kubespray does not have itself."""
    words = path.split("/")
    return words[0] == "inventory" and len(words) > 2 and words[1] not in INVENTORIES


def copied(folder, files, tree, to):
    """A copy of exactly these files, which is compared once more: what happens to the checkout from now on changes nothing."""
    for path in files:
        place = os.path.join(to, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        shutil.copy2(os.path.join(folder, path), place, follow_symlinks=False)
    require(to, tree)


def require(folder, tree):
    if tree_of(files_of(folder)) != tree:
        raise Differs("its files changed meanwhile")


def files_of(folder):
    found = {}
    for where, folders, names in os.walk(folder):
        links = [name for name in folders if os.path.islink(os.path.join(where, name))]
        if where == folder:
            folders[:] = [name for name in folders if name != ".git"]
        for name in links + [name for name in names if where != folder or name != ".git"]:
            path = os.path.join(where, name)
            found[os.path.relpath(path, folder)] = entry_of(path)
    return found


def entry_of(path):
    mode = os.lstat(path).st_mode
    if stat.S_ISLNK(mode):
        return "120000", blob(os.fsencode(os.readlink(path)))
    if not stat.S_ISREG(mode):
        return "0", ""
    with open(path, "rb") as file:
        return "100755" if mode & stat.S_IXUSR else "100644", blob(file.read())


def blob(data):
    return hashed("blob", data)


def hashed(kind, data):
    return hashlib.sha1(b"%s %d\0" % (kind.encode(), len(data)) + data, usedforsecurity=False).hexdigest()


def tree_of(files):
    """The id that git gives to a folder with exactly these files."""
    folders: dict = {}
    entries = {}
    for path, entry in files.items():
        first, slash, rest = path.partition("/")
        if slash:
            folders.setdefault(first, {})[rest] = entry
        else:
            entries[os.fsencode(first)] = (entry[0].encode(), entry[1])
    for name, inside in folders.items():
        entries[os.fsencode(name) + b"/"] = (b"40000", tree_of(inside))
    lines = [mode + b" " + name.rstrip(b"/") + b"\0" + bytes.fromhex(sha) for name, (mode, sha) in sorted(entries.items())]
    return hashed("tree", b"".join(lines))


def committed(folder, source):
    """Files of the commit where the checkout has its history, and its tree. What git says is believed only as far as its sums go."""
    text = git(folder, "cat-file", "commit", source["commit"]) if source["commit"] else None
    tree = source.get("tree")
    if text is not None and hashed("commit", text) == source["commit"]:
        tree = text.split(b"\n", 1)[0].split(b" ")[1].decode()
        listed = git(folder, "ls-tree", "-r", "-z", source["commit"]) or b""
        lines = [line.split(b"\t", 1) for line in listed.split(b"\0") if line]
        files = {os.fsdecode(path): (head.split()[0].decode(), head.split()[2].decode()) for head, path in lines}
        if tree_of(files) == tree:
            return files, tree
    if not tree:
        raise Differs("it has no commit %s" % source["commit"])
    return None, tree


def git(folder, *words):
    try:
        done = subprocess.run(
            ["git", "-C", folder, "-c", "safe.directory=*", *words],
            env=dict(CLOSED, PATH=os.environ.get("PATH", os.defpath)), capture_output=True, check=False, timeout=60,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def archived(source):
    """Files of the archive below its one folder, and their tree."""
    path = os.path.expanduser(source["archive"])
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise Differs("its archive %s, which it is compared with, cannot be read: %s" % (path, error.strerror)) from error
    if hashlib.sha256(data).hexdigest() != source["sha256"]:
        raise Differs("%s is not the archive that the definition names" % path)
    files = {}
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            inside = member.name.partition("/")[2]
            if member.issym():
                files[inside] = "120000", blob(os.fsencode(member.linkname))
            elif member.isfile() or member.islnk():
                content = archive.extractfile(member)
                executable = "100755" if member.mode & stat.S_IXUSR else "100644"
                files[inside] = executable, blob(content.read() if content else b"")
    return files, tree_of(files)


def differences(wanted, found):
    """A line for each of the first files that differ, and how many more there are."""
    lines = ["missing: " + path for path in wanted if path not in found]
    lines += ["added: " + path for path in found if path not in wanted]
    both = [path for path in wanted if path in found and found[path] != wanted[path]]
    lines += ["changed: " + path if found[path][1] != wanted[path][1] else "another mode: " + path for path in both]
    lines = sorted(lines)
    return lines[:SHOWN] + (["and %d more" % (len(lines) - SHOWN)] if len(lines) > SHOWN else [])
