"""A directory that takes nothing for a while, as one that is remounted read-only, loses no end of a run."""
import sys
import time

from playsmith.fault import Fault

PATIENCE = 120


def until_it_works(work, pause=1):
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return work()
        except (Fault, OSError) as error:
            told(error)
            if time.monotonic() > until:
                raise
        time.sleep(pause)


def told(error):
    """To the log of the supervisor, which may lie in that very directory."""
    try:
        print("not written yet: %s" % error, file=sys.stderr, flush=True)
    except OSError:
        pass
