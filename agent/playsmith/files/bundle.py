"""Bundles: unpacked beside their place, checked file by file against digest and manifest, renamed into place."""
import contextlib
import hashlib
import json
import os
import shutil
import threading
import time

from playsmith.fault import Fault, server_fault, writing
from playsmith.files.disk import flush
from playsmith.places import names, private_folder

DAY = 24 * 60 * 60


def stat(places, cluster, digest):
    """`partial` is where an archive may be put."""
    folder = places.bundles(cluster)
    private_folder(folder)
    remove_leftovers(folder)
    there = os.path.isdir(places.bundle(cluster, digest))
    if there:
        verify(places.bundle(cluster, digest), digest)
        # It is about to be run, as one that was just pushed: nobody collects it meanwhile.
        with contextlib.suppress(OSError):
            os.utime(places.bundle(cluster, digest))
    token = os.urandom(6).hex()
    return {"there": there, "partial": os.path.join(folder, ".%s.%s.partial" % (digest, token))}


def remove_leftovers(folder):
    for name in names(folder):
        path = os.path.join(folder, name)
        # Another client's archive goes away while it is looked at.
        with contextlib.suppress(FileNotFoundError):
            if name.startswith(".") and time.time() - os.lstat(path).st_mtime > DAY:
                remove(path)


def remove(path):
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
    elif os.path.lexists(path):
        os.unlink(path)


def unpack(places, request, session):
    """False when the archive does not get whole: SFTP does not always say that a write failed."""
    cluster, digest, partial, size = (request[key] for key in ("cluster", "digest", "partial", "size"))
    folder, place = places.bundles(cluster), places.bundle(cluster, digest)
    if os.path.dirname(partial) != folder or not os.path.basename(partial).startswith(".%s." % digest):
        raise Fault("bundle", "%s is no place for an archive" % partial, evidence="")
    # Asked while the archive is on its way, so that a slow line is waited for once.
    while size_of(partial) != size and not session.interrupted(0.005):
        pass
    if size_of(partial) != size:
        remove(partial)
        return {"there": False}
    fresh = os.path.join(folder, ".%s.%s.unpacking" % (digest, os.urandom(6).hex()))
    with writing(folder):
        os.mkdir(fresh, 0o700)
    try:
        extract(partial, fresh)
        verify(fresh, digest)
        with writing(folder):
            keep(fresh, place)
    finally:
        remove(fresh)
        remove(partial)
    verify(place, digest)
    return {"there": True}


def size_of(path):
    return os.path.getsize(path) if os.path.isfile(path) else -1


def extract(archive, folder):
    """Plain files only, each below `folder`; what verify() does not expect is found there."""
    import tarfile

    try:
        with tarfile.open(archive, "r:gz") as tar:
            for member in tar:
                place = os.path.normpath(os.path.join(folder, member.name))
                if not member.isreg() or not place.startswith(folder + os.sep):
                    raise Fault("bundle", "The archive holds something that is no file of a bundle", evidence=member.name)
                with writing(folder):
                    write_file(tar.extractfile(member).read(), place, member.mode)
    except (tarfile.TarError, EOFError, ValueError) as error:
        raise Fault("bundle", "The archive arrived damaged", evidence=str(error)) from error


def write_file(content, place, mode):
    os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
    with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        os.fchmod(file.fileno(), mode & 0o777)


def keep(fresh, place):
    """On the disk before its name is: the names below a folder are flushed with it."""
    paths = [path for folder, _, files in os.walk(fresh) for path in [folder] + [os.path.join(folder, name) for name in files]]
    together(flush, paths)
    try:
        os.rename(fresh, place)
    except OSError:
        if not os.path.isdir(place):
            raise
    flush(os.path.dirname(place))


def together(work, items):
    """Disks write many files at once faster than one after the other."""
    waiting, problems = list(items), []

    def share():
        while waiting and not problems:
            try:
                work(waiting.pop())
            except IndexError:
                return
            except OSError as error:
                problems.append(error)

    threads = [threading.Thread(target=share) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]


def verify(folder, digest):
    """Path, mode and text of every file give the digest; the manifest says which one does not fit."""
    if not os.path.isdir(folder):
        raise server_fault("The bundle %s is not on the Ansible server" % digest[:12], folder, "Run `npx task push`")
    found = {path: describe(folder, path) for path in files_of(folder)}
    wrong = differences(found, manifest_of(found)) + misnamed(found, digest)
    if wrong or digest_of(found) != digest:
        evidence = "\n".join(wrong or ["no file differs from manifest.json: the manifest itself was changed"])
        raise Fault(
            "bundle",
            "What lies in %s is not the bundle that was reviewed" % folder,
            evidence=evidence + "\nFind out who changed it; remove that folder, and the next push sends the bundle again.",
        )


def misnamed(found, digest):
    """The manifest is outside of the digest: its files are compared, its own name for the bundle here. Nothing else of it is read."""
    told = read_manifest(found).get("digest", digest)
    return [] if told == digest else ["manifest.json is of the bundle %s" % told]


def digest_of(found):
    """As the client computes it."""
    parts = [[path, each["mode"], each["text"]] for path, each in sorted(found.items()) if path != "manifest.json"]
    text = "\n".join(json.dumps(part, ensure_ascii=False, separators=(",", ":")) for part in parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def files_of(folder):
    for where, folders, files in os.walk(folder):
        for name in files + [each for each in folders if os.path.islink(os.path.join(where, each))]:
            yield os.path.relpath(os.path.join(where, name), folder)


def describe(folder, path):
    place = os.path.join(folder, path)
    if os.path.islink(place) or not os.path.isfile(place):
        return {"mode": "link", "sha256": "", "text": ""}
    with open(place, "rb") as file:
        content = file.read()
    mode = "%04o" % (os.stat(place).st_mode & 0o7777)
    return {"mode": mode, "sha256": hashlib.sha256(content).hexdigest(), "text": content.decode("utf-8", "replace")}


def manifest_of(found):
    try:
        return {entry["path"]: entry for entry in read_manifest(found)["files"]}
    except (KeyError, TypeError):
        return {}


def read_manifest(found):
    try:
        read = json.loads(found["manifest.json"]["text"])
    except (KeyError, ValueError):
        return {}
    return read if isinstance(read, dict) else {}


def differences(found, expected):
    wrong = ["missing: %s" % path for path in sorted(set(expected) - set(found))]
    wrong += ["not in the manifest: %s" % path for path in sorted(set(found) - set(expected) - {"manifest.json"})]
    for path in sorted(set(expected) & set(found)):
        if found[path]["sha256"] != expected[path]["sha256"]:
            wrong.append("changed: %s" % path)
        elif found[path]["mode"] != expected[path]["mode"]:
            wrong.append("mode %s instead of %s: %s" % (found[path]["mode"], expected[path]["mode"], path))
    return wrong
