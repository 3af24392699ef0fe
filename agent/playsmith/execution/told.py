"""What a program tells of itself that a task of the run calls, such as the tasks of an Ansible of its own: one line of JSON each, in a file
that it finds by its environment."""
import datetime
import json
import os

FILE = "PLAYSMITH_TOLD"
MOST = 1 << 16
LONGEST = 200


class Told:
    def __init__(self, scratch):
        self.path = os.path.join(scratch, "told")
        self.offset = 0
        os.environ[FILE] = self.path

    def fresh(self):
        """An event for each line since the last time; of what is behind the last line end, the rest comes later."""
        try:
            with open(self.path, "rb") as file:
                file.seek(self.offset)
                read = file.read(MOST)
        except FileNotFoundError:
            return
        lines = read.split(b"\n")[:-1]
        # One that fills all that is read at once has no end that we would wait for.
        self.offset += len(read) if not lines and len(read) == MOST else 0
        self.offset += sum(len(line) + 1 for line in lines)
        for line in lines:
            part = part_of(line)
            if part:
                created = datetime.datetime.now(datetime.timezone.utc).isoformat()
                yield {"event": "part_start", "event_data": part, "created": created, "stdout": ""}


def part_of(line):
    """Its name and its number; None for what is none."""
    try:
        found = json.loads(line)
        name = "".join(filter(str.isprintable, str(found["name"])))
        return {"name": name[:LONGEST], "number": int(found["number"])}
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None
