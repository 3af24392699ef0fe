"""What Ansible said at its very end: ansible-runner asks whether it lives before it reads, and hears nothing more of one that ended."""
import select

# Whatever Ansible left running may keep its terminal open for ever.
SILENCE_MS = 500


def spawning(spawn, handles):
    """pexpect's own, but one that ended is read to its end before that is told; it gets these open files too."""
    from pexpect import EOF
    from pexpect.spawnbase import SpawnBase

    class Whole(spawn):
        heard = False

        def _spawnpty(self, args, **more):
            return super()._spawnpty(args, pass_fds=handles, **more)

        def isalive(self):
            alive = super().isalive()
            if not alive and not self.heard and not self.closed:
                self.heard = True
                self.hear()
            return alive

        def hear(self):
            waiting = select.poll()
            waiting.register(self.child_fd, select.POLLIN)
            try:
                while waiting.poll(SILENCE_MS):
                    SpawnBase.read_nonblocking(self, 1 << 16)
            except EOF:
                pass

    return Whole
