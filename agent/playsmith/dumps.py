"""Bytes as hexdump, xxd and od print them, read back: a value is found in them whatever their columns are."""

import bisect
import re

# An end of a line as it is, and as JSON escapes it once, twice and three times.
ENDS = [re.compile(r"(\r?\n)")] + [
    re.compile(r"(?<!\\)(?:\\{%d})*(\\{%d}n)" % (2 * count, count)) for count in (1, 2, 4)
]
# Where a word may begin and end that stands beside others of its kind.
LEFT, RIGHT = r"(?<![^\s\"'])", r"(?![^\s\"'\\|>,])"
HEX = re.compile(LEFT + r"[0-9A-Fa-f]{2,22}(?::(?= )|" + RIGHT + r")(?: +[0-9A-Fa-f]{1,22}" + RIGHT + r")*")
DECIMAL = re.compile(LEFT + r"-?\d{1,20}" + RIGHT + r"(?: +-?\d{1,20}" + RIGHT + r")*")
INCLUDED = re.compile(r"0x[0-9A-Fa-f]{2}(?:, ?0x[0-9A-Fa-f]{2})*(?![0-9A-Fa-f])")
INCLUDED_BYTE = re.compile("0x(..)")
# What is further away stands in the gutter.
WIDEST_GAP = 4
WORD = re.compile(r"[^ ]+")
NAMES = "nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us sp".split()
NAMED = dict({name: bytes([code]) for code, name in enumerate(NAMES)}, **{"del": b"\x7f", "**": b""})
ESCAPED = dict(zip("0abtnvfre", b"\0\a\b\t\n\v\f\r\x1b".decode("latin-1")))
NAME = "|".join(re.escape("%4s" % name) for name in NAMED)
# Each character takes four columns; of one that takes several bytes the rest are stars.
CHARACTER = re.compile(
    r" ([0-3][0-7]{2})(?= |$)|(%s)(?= |$)|  \\+([0abtnvfre])|   (?:(\\)\\*(?= |$)|\\*([^\\]))" % NAME
)
ANY = "(?:%s)" % re.sub(r"\((?!\?)", "(?:", CHARACTER.pattern)
CHARACTERS = re.compile(r"(?<=[0-9A-Fa-f]{7})%s+|(?:^|(?<=[\"']))%s{2,}|^%s$" % (ANY, ANY, ANY))
# Where nothing of the kind stands, nothing else is looked at: most texts.
SIGN = re.compile(r"[0-9A-Fa-f]{6}:? {1,4}\S|(?: {1,4}-?[0-9A-Fa-f]{2,22}){3}|0x..,|(?: [ 0-3a-z][ 0-7a-z]\S){3}|(?:  \\\S+){2}")
# What stands for lines that are equal to the one before: so many of them are enough for any value.
SAME, COPIES = "*", 8


def dumps_in(text):
    """One for each way in which lines of the text may be read as bytes."""
    for end in ENDS if SIGN.search(text) else ():
        if end is ENDS[0] or end.search(text):
            yield from dumps_by(text, end)


def dumps_by(text, end):
    found, start = {}, 0
    for stop, after in [each.span(1) for each in end.finditer(text)] + [(len(text), len(text))]:
        line = text[start:stop]
        if line.strip() == SAME:
            for dump in found.values():
                dump.repeat()
        for name, columns in readings(line):
            found.setdefault(name, Dump()).add(columns, start, line)
        start = after
    return [dump for dump in found.values() if len(dump.data) > 3]


class Dump:
    """The bytes of many lines, and where each of them stands in the text."""

    def __init__(self):
        self.data, self.lines, self.begins, self.offsets = bytearray(), [], [], None

    def add(self, columns, start, line):
        """Columns: bytes with their place in the line. What follows shows the same bytes as characters."""
        self.begins.append(len(self.data))
        places = [(start + low, start + high) for data, low, high in columns for _ in data]
        data = b"".join(data for data, _, _ in columns)
        last = columns[-1][2]
        self.lines.append((places, (start + last, start + last + gutter(line[last:], data)), data))
        self.data += data

    def repeat(self):
        data = self.lines[-1][2] if self.lines else b""
        for _ in range(COPIES):
            self.begins.append(len(self.data))
            self.lines.append(([], (0, 0), data))
            self.data += data

    def text(self):
        text = self.data.decode("utf-8", "surrogateescape")
        self.offsets = [0]
        for sign in text:
            self.offsets.append(self.offsets[-1] + len(sign.encode("utf-8", "surrogateescape")))
        return text

    def parts(self, start, end):
        """What a part of the text is in the original: columns of each line that it goes over."""
        low, high = self.offsets[start], self.offsets[end]
        for index in range(bisect.bisect_right(self.begins, low) - 1, bisect.bisect_left(self.begins, high)):
            (places, beside, _), begin = self.lines[index], self.begins[index]
            mine = places[max(0, low - begin) : high - begin]
            if mine:
                yield mine[0][0], mine[-1][1]
                yield beside


def gutter(rest, data):
    """How many characters of what follows the columns show the same bytes."""
    found = re.match(r" {2,}[|>]?(?:\\+|[^\\]){1,%d}[|<]?" % (len(data) + data.count(b'"')), rest)
    return found.end() if found else 0


def readings(line):
    for found in CHARACTERS.finditer(line):
        yield "characters", [(said(each), each.start(), each.end()) for each in CHARACTER.finditer(line, *found.span())]
    for found in INCLUDED.finditer(line):
        yield "included", [(bytes.fromhex(each[1]), *each.span()) for each in INCLUDED_BYTE.finditer(line, *found.span())]
    words, signed = without_offset(longest(HEX, line))
    if words:
        yield from hexadecimal(alike(words, signed))
    words = longest(DECIMAL, line)
    if words:
        yield from decimal(words)


def longest(pattern, line):
    """The words of the longest place of it, with where each begins and ends."""
    run = max(pattern.finditer(line), key=lambda each: len(each[0]), default=None)
    return [(each[0], *each.span()) for each in WORD.finditer(line, *run.span())] if run else []


def said(character):
    octal, name, escaped, backslash, plain = character.groups()
    if octal or name:
        return bytes([int(octal, 8)]) if octal else NAMED[name.strip()]
    return (ESCAPED[escaped] if escaped else backslash or plain).encode("utf-8", "surrogatepass")


def without_offset(words):
    first = words[0][0] if words else ""
    if first.endswith(":"):
        return words[1:], True
    return (words[1:] if len(words) > 1 and len(first) > 5 and len(first) != len(words[1][0]) else words), False


def alike(words, signed):
    """Columns of one width and distance: what differs is not of them, but for hexdump's gap in the middle and a group cut short."""
    width = len(words[0][0])
    apart, short = (words[1][1] - words[0][2], width - len(words[1][0])) if len(words) > 1 else (1, 0)
    gap = apart - short if 0 < short < apart else apart
    found = words[:1]
    for word, start, end in words[1:]:
        apart = start - found[-1][2]
        middle = width == 2 and len(found) == 8 and apart == 2 and not signed
        cut = len(word) < width and len(word) % 2 == 0 and apart in (gap, gap + width - len(word))
        if not (cut or (len(word) == width and (middle or apart == gap))) or gap > WIDEST_GAP:
            break
        found.append((word, start, end))
        if len(word) < width:
            break
    return found


def hexadecimal(words):
    """What columns of one width may be: bytes in either order, octal numbers, bits."""
    width = len(words[0][0])
    if all(len(word) % 2 == 0 for word, _, _ in words):
        yield "big", [(bytes.fromhex(word), start, end) for word, start, end in words]
        yield "little", [(bytes.fromhex(word)[::-1], start, end) for word, start, end in words]
    size = {3: 1, 6: 2, 11: 4, 22: 8}.get(width)
    if size and all(len(word) == width and not set(word) - set("01234567") for word, _, _ in words):
        yield "octal", [(number(int(word, 8), size), start, end) for word, start, end in words]
    if width == 8 and all(len(word) == width and not set(word) - set("01") for word, _, _ in words):
        yield "bits", [(number(int(word, 2), 1), start, end) for word, start, end in words]


def decimal(words):
    """The first number may be the offset: then it is longer than others and begins with zeros."""
    if len(words) > 1 and len(words[0][0]) > 5 and words[0][0].startswith("0"):
        words = words[1:]
    numbers = [(int(word), start, end) for word, start, end in words]
    for size in (1, 2, 4, 8):
        if all(-(256**size) // 2 <= each < 256**size for each, _, _ in numbers):
            yield "decimal %d" % size, [(number(each, size), start, end) for each, start, end in numbers]


def number(value, size):
    return (value & (256**size - 1)).to_bytes(size, "little")
