"""Finds the values of secrets in texts, in all forms in which programs write them, and strikes them out.

Bundles for kubespray hold this file, dumps.py and forms.py too, as they are here.
"""
import bisect
import collections
import re

from playsmith.dumps import dumps_in
from playsmith.forms import LONG_LINE, SHORTEST, forms_of, numbers_of, written

HIDDEN = "[secret]"
# Every fourth place of a text is looked at, and five characters there: in a form of eight they are always found.
GRAM, STRIDE = 5, 4
# An end of a line as it is or as JSON escapes it, with what a list or an indentation puts around it.
BREAK = re.compile(r"""(?:(?<!\\)\\+[rn]|[\r\n])(?:\\+[rn"' ]|[\s"',]|- )*""")
# The same with what marks each line: of a difference, a comment, a quotation, or whose it is.
MARKED = re.compile(BREAK.pattern + r"(?:[-+#>|!]{1,3} ?|[\w.-]{1,40}: )?")
EDGE = " \t\"',\\"


class Striker:
    """Values shorter than four characters are left: striking them out would strike out half of every text."""

    def __init__(self, values):
        values = [value for value in values if len(value.strip()) >= SHORTEST]
        found = [forms_of(value) for value in values]
        self.anywhere = Index(each for texts, codes in found for each in texts | codes)
        # A shorter text is put together from two lines by chance.
        self.wrapped = Index(each for texts, codes in found for each in codes | {text for text in texts if len(text) >= LONG_LINE})
        # Where a line may end, such forms have a space: words in YAML, bytes as od prints them.
        words = {text for value in values for text in written(" ".join(value.split()))}
        self.folded = Index(each for each in words.union(*(codes for _, codes in found)) if " " in each)
        self.words = Index(line.strip() for value in values for line in value.splitlines() if len(line) < LONG_LINE)
        self.numbers = {number for value in values for number in numbers_of(value)}

    def strike(self, text):
        spans = list(self.anywhere.spans(text))
        spans += [span for span in self.words.spans(text) if is_word(text, *span)]
        for index, joint in ((self.wrapped, ""), (self.folded, " ")):
            for ends in (BREAK, MARKED) if index and BREAK.search(text) else ():
                flat = Flat(text, joint, ends)
                spans += [part for span in index.spans(flat.text) for part in flat.parts(*span)]
        for dump in dumps_in(text) if self.anywhere else ():
            spans += [part for span in self.anywhere.spans(dump.text()) for part in dump.parts(*span)]
        return struck(text, spans) if spans else text

    def strike_lines(self, lines):
        """As one text, since a value may go on from one to the next."""
        done = collections.deque(self.strike("\n".join(lines)).split("\n"))
        return ["\n".join(done.popleft() for _ in range(line.count("\n") + 1)) for line in lines]

    def is_number(self, number):
        return not isinstance(number, bool) and number in self.numbers


class Index:
    """Every place of many texts in another one, in one pass over it, however many they are."""

    def __init__(self, forms):
        self.long, self.short = {}, {}
        for form in {each for each in forms if len(each) >= SHORTEST}:
            if len(form) < GRAM + STRIDE - 1:
                self.short.setdefault(form[:SHORTEST], []).append(form)
            else:
                for at in range(STRIDE):
                    self.long.setdefault(form[at : at + GRAM], []).append((at, form))

    def __bool__(self):
        return bool(self.long or self.short)

    def spans(self, text):
        long, short = self.long, self.short
        hits = [at for at in range(0, len(text), STRIDE) if text[at : at + GRAM] in long] if long else []
        for at in hits:
            for offset, form in long[text[at : at + GRAM]]:
                if at >= offset and text.startswith(form, at - offset):
                    yield at - offset, at - offset + len(form)
        hits = [at for at in range(len(text)) if text[at : at + SHORTEST] in short] if short else []
        for at in hits:
            for form in short[text[at : at + SHORTEST]]:
                if text.startswith(form, at):
                    yield at, at + len(form)


class Flat:
    """A text without the ends of its lines, and where each part of it comes from."""

    def __init__(self, text, joint, ends):
        self.places, self.origins, pieces, length, last = [], [], [], 0, 0
        for start, end in [found.span() for found in ends.finditer(text)] + [(len(text), len(text))]:
            piece = text[last:start].rstrip(EDGE)
            self.places.append(length)
            self.origins.append((last, last + len(piece)))
            pieces.append(piece)
            length, last = length + len(piece) + len(joint), end
        self.text = joint.join(pieces)

    def parts(self, start, end):
        """What a part of the flat text is in the original: a part of each line that it goes over."""
        first = bisect.bisect_right(self.places, start) - 1
        for place, (low, high) in zip(self.places[first:], self.origins[first:]):
            if place >= end:
                return
            yield max(low, low + start - place), min(high, low + end - place)


def struck(text, spans):
    """Lines stay lines: what goes over several is struck out in each."""
    pieces, last = [], 0
    for start, end in merged(spans):
        pieces += [text[last:start], re.sub(r"[^\r\n]+", HIDDEN, text[start:end].rstrip("\r\n"))]
        last = start + len(text[start:end].rstrip("\r\n"))
    return "".join(pieces) + text[last:]


def merged(spans):
    whole = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if whole and start < whole[-1][1]:
            whole[-1][1] = max(end, whole[-1][1])
        else:
            whole.append([start, end])
    return whole


def is_word(text, start, end):
    before = start == 0 or not text[start - 1].isalnum() or text[max(0, start - 2) : start] in ("\\n", "\\r", "\\t")
    return before and not text[end : end + 1].isalnum()
