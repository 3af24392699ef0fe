"""Modules that are run as Ansible runs them, with what they ask for on loopback."""

import functools
import http.server
import json
import os
import subprocess
import sys
import threading

import pytest


@pytest.fixture
def run():
    """Runs a module as a root whose files are his alone, and gives what it answers."""

    def run_module(module, around=None, check=False, **params):
        given = json.dumps({"ANSIBLE_MODULE_ARGS": dict(params, _ansible_check_mode=check)})
        where = dict(
            os.environ, FORCE_COLOR="1", PYTHONPATH=os.pathsep.join(each for each in sys.path if each), **(around or {})
        )
        argv = ["sh", "-c", 'umask 077; exec "$0" "$1"', sys.executable, module.__file__]
        done = subprocess.run(argv, input=given, capture_output=True, text=True, env=where, check=False)
        assert done.stdout, done.stderr
        return json.loads(done.stdout)

    return run_module


@pytest.fixture
def web(tmp_path):
    """A folder and the URL at which it is offered."""
    folder = tmp_path / "web"
    folder.mkdir()

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_words):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield folder, "http://127.0.0.1:%d" % server.server_port
        server.shutdown()


@pytest.fixture
def git(tmp_path):
    """Makes a git repository with files and a tag, and gives its URL."""

    def make(files, tag="v1.0.0"):
        folder = tmp_path / "repository"
        folder.mkdir()
        for name, text in files.items():
            (folder / name).write_text(text)
        who = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
        for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "One"], ["tag", tag]):
            subprocess.run(["git", "-C", str(folder), *who, *words], check=True)
        return "file://" + str(folder)

    return make


@pytest.fixture
def is_offered():
    """Whether a web server, which is not root, may read all that is in a folder."""

    def readable(folder):
        found = [path for path in folder.rglob("*") if path.name != ".lock"]
        return bool(found) and all(
            path.stat().st_mode & (0o005 if path.is_dir() else 0o004) for path in [folder, *found]
        )

    return readable
