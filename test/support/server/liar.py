#!/usr/bin/python3
"""Stands in for everything that an Ansible server runs, as sshd's ForceCommand: what Playsmith sends is read and never run.

`answers.json` in the folder that it is told: what it is asked → what it prints, as latin-1 text; `asked` notes each question. Files
over SFTP are real ones, in the folder `files`.
"""
import json
import os
import sys

place = sys.argv[1]
line = os.environ.get("SSH_ORIGINAL_COMMAND", "")
with open(os.path.join(place, "answers.json")) as file:
    answers = json.load(file)


def answer(question):
    with open(os.path.join(place, "asked"), "a") as file:
        file.write(question + "\n")
    text = answers.get(question, '{"done":{}}\n')
    while text == "endless":
        sys.stdout.buffer.write(b"x" * 65536)
    sys.stdout.buffer.write(text.encode("latin-1"))
    sys.stdout.buffer.flush()
    if not any(map(is_reply, text.splitlines())):
        os._exit(0)


def is_reply(line):
    try:
        return not {"done", "failure"}.isdisjoint(json.loads(line))
    except (ValueError, TypeError):
        return False


def heard(data):
    with open(os.path.join(place, "heard"), "ab") as file:
        file.write(data)


if line.endswith("sftp-server") or line == "internal-sftp":
    os.execv("/usr/lib/openssh/sftp-server", ["sftp-server", "-d", os.path.join(place, "files")])
elif "zlib.decompress" in line:
    sys.stdin.buffer.read(int(sys.stdin.buffer.readline()))
    sys.stdout.buffer.write(b'{"hello":"playsmith"}\n')
    sys.stdout.buffer.flush()
    for request in sys.stdin.buffer:
        heard(request)
        if request.strip():
            asked = json.loads(request)
            asked = asked.get("request", asked)
            answer(asked["operation"])
else:
    if not line.startswith(("id", "sudo -n", "ssh-keyscan")):
        heard(sys.stdin.buffer.read())
    answer("shell")
