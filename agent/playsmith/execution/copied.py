"""A run's own copy of its bundle: what other processes do to the bundle after the start changes nothing of the run."""
import os
import shutil

from playsmith.fault import Fault, writing
from playsmith.files import bundle

WRITE = 0o222


def make(source, folder, digest):
    """Verified after it was made, since the source may change while it is read; then nobody writes there by mistake."""
    with writing(folder):
        shutil.copytree(source, folder, symlinks=True)
    bundle.verify(folder, digest)
    for where, _, files in os.walk(folder, topdown=False):
        for name in files:
            forbid(os.path.join(where, name))
        os.chmod(where, 0o500)
    return folder


def require(folder, digest):
    changed = changes(folder, digest)
    if changed:
        raise Fault("bundle", "The run's copy of its bundle was changed", evidence="\n".join(changed))


def forbid(path):
    os.chmod(path, os.stat(path).st_mode & 0o7777 & ~WRITE)


def changes(folder, digest):
    """Which files of the copy are no more what was verified: by the digest, since the manifest lies beside them."""
    try:
        found = {path: written(bundle.describe(folder, path)) for path in bundle.files_of(folder)}
    except OSError as error:
        return [str(error)]
    if bundle.digest_of(found) == digest:
        return []
    return bundle.differences(found, bundle.manifest_of(found)) or ["manifest.json, and files that it lists"]


def written(file):
    """As it was before writing was forbidden."""
    if file["mode"] == "link":
        return file
    return dict(file, mode="%04o" % (int(file["mode"], 8) | 0o200))


def loosen(folder):
    """Nothing in a folder without the right to write can be removed."""
    for where, _, _ in os.walk(folder):
        try:
            os.chmod(where, 0o700)
        except OSError:
            pass
