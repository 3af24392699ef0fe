"""Writes that a power cut does not undo: text first, then its name, then the folder that holds the name."""
import contextlib
import errno
import os


def flush(path):
    """A file or a folder. Some file systems have nothing to flush of a folder, and say so."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(handle)


def replace(path, content):
    """A reader sees the old bytes or the new ones, never a part; when this returns, the new ones are on the disk."""
    partial = "%s.%d.partial" % (path, os.getpid())
    try:
        handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            write_all(handle, content)
            os.fsync(handle)
        finally:
            os.close(handle)
        rename(partial, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(partial)
        raise


def write_all(handle, content):
    left = memoryview(content)
    while left:
        left = left[os.write(handle, left):]


def rename(old, new):
    """Within one folder, or to another one that lives longer."""
    os.rename(old, new)
    flush(os.path.dirname(new))


def make(folder):
    os.mkdir(folder, 0o700)
    flush(os.path.dirname(folder))
