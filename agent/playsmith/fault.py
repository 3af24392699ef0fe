"""What is expected to go wrong on this server, in the shape of the client's failures."""
import contextlib
import errno
import os


class Fault(Exception):
    """`more`: evidence and next, as the kind asks for."""

    def __init__(self, kind, message, **more):
        super().__init__(message)
        self.failure = dict({"kind": kind, "message": message}, **more)


def server_fault(message, evidence="", next=""):
    return Fault("server", message, evidence=evidence, next=next)


@contextlib.contextmanager
def writing(path):
    """Turns what the disk says while something below `path` is written into a Fault that names it."""
    try:
        yield
    except OSError as error:
        raise disk_fault(error, path) from error


def disk_fault(error, path):
    unknown = (error.strerror or str(error), "Look at that folder on the Ansible server")
    reason, next_step = REASONS.get(error.errno, unknown)
    evidence = "%s: %s\nuser %s, %s" % (error.filename or path, error.strerror, user(), free_text(path))
    return server_fault("The Ansible server cannot write %s: %s" % (path, reason), evidence, next_step)


ELSEWHERE = "or set ansibleServer.directory to another place"
NO_RIGHT = ("its user has no permission", "Run `npx task bootstrap`, " + ELSEWHERE)
NO_FOLDER = ("a part of the path is a file", "Move that file away, " + ELSEWHERE)
REASONS = {
    errno.ENOSPC: ("its disk is full", "Make room there, or set ansibleServer.directory to another disk"),
    errno.EDQUOT: ("the disk quota of its user is used up", "Make room there, or raise the quota"),
    errno.EROFS: ("the file system is read-only", "Mount it writable, or set ansibleServer.directory to another place"),
    errno.EIO: ("its disk fails", "Look at its disk, or set ansibleServer.directory to another one"),
    errno.ESTALE: ("its network file system went away", "Mount it again, or set ansibleServer.directory to another place"),
    errno.EACCES: NO_RIGHT,
    errno.EPERM: NO_RIGHT,
    errno.EEXIST: NO_FOLDER,
    errno.ENOTDIR: NO_FOLDER,
}
FULL = (errno.ENOSPC, errno.EDQUOT)
# What says nothing of this program.
OF_A_DISK = (*FULL, errno.EROFS, errno.EIO, errno.ESTALE)


def is_full(fault):
    return getattr(fault.__cause__, "errno", None) in FULL


def user():
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(os.getuid())


def free_text(path):
    free = free_bytes(path)
    return "free space unknown" if free is None else "%d bytes free" % free


def free_bytes(path):
    while path and not os.path.exists(path):
        path = os.path.dirname(path)
    try:
        found = os.statvfs(path or "/")
        return found.f_bavail * found.f_frsize
    except OSError:
        return None
