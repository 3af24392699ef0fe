"""Names of runs of one cluster sort as the runs went, whatever the clock does."""
import calendar
import time

FORMAT = "%Y%m%dT%H%M%SZ"


def after(names):
    """The time now, in another second than the last run of the cluster began; where the clock was set back, the second after that."""
    last = max(map(second, names), default=0)
    while int(time.time()) == last:
        time.sleep(0.05)
    return time.strftime(FORMAT, time.gmtime(max(int(time.time()), last + 1)))


def second(name):
    """0 for a name that somebody made up."""
    try:
        return calendar.timegm(time.strptime(name.partition("-")[0], FORMAT))
    except ValueError:
        return 0
