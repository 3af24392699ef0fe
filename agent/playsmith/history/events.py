"""The events of a run: one line each, with a checksum by which what a power cut or a failing disk made of it is known."""
import gzip
import json
import os
import re
import zlib

EVENTS = "events.ndjson"
SUM = re.compile(rb',"crc32":"([0-9a-f]{8})"}$')
TORN = (EOFError, zlib.error, gzip.BadGzipFile)


def line_of(event):
    body = json.dumps(event, ensure_ascii=True, separators=(",", ":")).encode()
    return b'%s,"crc32":"%08x"}\n' % (body[:-1], zlib.crc32(body))


class Lines:
    """Takes the lines of one file for events. Records of before there were checksums are read as well."""

    def __init__(self):
        self.checked = False
        self.unread = 0

    def event(self, line):
        """None for what is no event, as the zeros that a power cut leaves in place of a line; counted."""
        found = self.whole(line)
        self.unread += found is None
        return found

    def whole(self, line):
        told = SUM.search(line)
        if told:
            self.checked = True
            line = line[:told.start()] + b"}"
        if self.checked and (not told or zlib.crc32(line) != int(told[1], 16)):
            return None
        try:
            found = json.loads(line)
        except ValueError:
            return None
        return found if isinstance(found, dict) else None


class EventReader:
    """From the first event on, while they are written and after they were compressed."""

    def __init__(self, folder):
        self.lines = Lines()
        self.offset = 0
        self.torn = False
        self.file = opened(os.path.join(folder, EVENTS))

    @property
    def unread(self):
        return self.lines.unread + self.torn

    def fresh(self):
        """What is behind the last line end is read again the next time: a full disk may take a part of a line, which is taken back."""
        rest = b""
        if self.file is not None and self.file.seekable() and not isinstance(self.file, gzip.GzipFile):
            self.file.seek(self.offset)
        while chunk := self.chunk():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self.offset += len(line) + 1
                event = self.lines.event(line)
                if event is not None:
                    yield event

    def chunk(self):
        """A copy that ends too early tells all that came before."""
        try:
            return self.file.read(1 << 20) if self.file else b""
        except TORN:
            self.torn = True
            return b""


def opened(path):
    """None where nothing is left of them."""
    for name, how in ((path, open), (path + ".gz", gzip.open)):
        try:
            return how(name, "rb")
        except FileNotFoundError:
            pass
    return None
