"""Runs a command on a terminal and types an answer whenever it asks: typist.py ANSWER... -- COMMAND WORD..."""

import fcntl
import os
import pty
import re
import struct
import sys
import termios

cut = sys.argv.index("--")
answers, command = sys.argv[1:cut], sys.argv[cut + 1 :]
pid, terminal = pty.fork()
if pid == 0:
    # So wide that no question is broken into lines.
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 2000, 0, 0))
    os.execvp(command[0], command)
seen = b""
while True:
    try:
        chunk = os.read(terminal, 65536)
    except OSError:
        # The last who had the terminal is gone.
        break
    if not chunk:
        break
    os.write(1, chunk)
    seen = (seen + chunk)[-4096:]
    if answers and re.search(rb"\(yes/no\) (\x1b\[[0-9;?]*[A-Za-z])*$", seen):
        os.write(terminal, answers.pop(0).encode() + b"\r")
        seen = b""
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
