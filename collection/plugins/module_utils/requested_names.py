"""
The names that a request for a certificate asks for, read from the request itself: as openssl prints them, one that holds the
end of a line hides those behind it. It imports nothing of the collection: the authority of a mesh reads requests with it too.
"""

from __future__ import annotations

import base64
import ipaddress
import re

# As DER: the attribute by which a request asks for more than a signature, the alternative names there, Receptor's kind of name.
EXTENSIONS, ALTERNATIVE = bytes.fromhex("2a864886f70d01090e"), bytes.fromhex("551d11")
RECEPTOR = bytes.fromhex("2b0601040192081301")
BLOCK = re.compile(r"-----BEGIN CERTIFICATE REQUEST-----\n([A-Za-z0-9+/=\n]+)-----END CERTIFICATE REQUEST-----\n?")


def der_of(text):
    """What a PEM text of one block holds: of several, or of what stands around one, others may read another part."""
    found = BLOCK.fullmatch(text)
    if found is None:
        raise ValueError("it is not one block of PEM")
    return base64.b64decode(found.group(1).replace("\n", ""), validate=True)


def elements(data):
    """Tag and content of the elements of DER that stand beside one another."""
    found, at = [], 0
    while at < len(data):
        head = data[at : at + 2]
        if len(head) < 2 or head[0] & 0x1F == 0x1F or head[1] in (0x80, 0xFF):
            raise ValueError("it is no DER of a request")
        more = max(0, head[1] - 0x80)
        length = int.from_bytes(data[at + 2 : at + 2 + more], "big") if more else head[1]
        start, at = at + 2 + more, at + 2 + more + length
        if at > len(data):
            raise ValueError("it is cut off")
        found.append((head[0], data[start:at]))
    return found


def extensions(request):
    """What is asked for besides a signature, each as its parts."""
    ((_, whole),) = elements(request)
    for tag, attributes in elements(elements(whole)[0][1] if whole else b""):
        for _, attribute in elements(attributes) if tag == 0xA0 else []:
            (_, kind), (_, values) = elements(attribute)
            for _, value in elements(values) if kind == EXTENSIONS else []:
                yield from ([part for _, part in elements(each)] for _, each in elements(value))


def shown(text):
    """No two are shown alike, and none in more than one line."""
    return text.decode("latin-1").encode("unicode_escape").decode()


def name_of(tag, content):
    """Its kind and what it is; of a kind that nobody wants, neither."""
    if tag == 0x82:
        return "DNS", shown(content)
    if tag == 0x87:
        return "IP Address", str(ipaddress.ip_address(content))
    parts = [part for _, part in elements(content)] if tag == 0xA0 else []
    if parts[:1] != [RECEPTOR]:
        return "", ""
    ((_, text),) = elements(parts[1] if len(parts) == 2 else b"")
    return "Receptor", shown(text)


def names_in(request):
    """Kind and value of each name; ValueError where the request is none."""
    found = [parts[-1] for parts in extensions(request) if parts[:1] == [ALTERNATIVE]]
    return [name_of(*each) for value in found for _, names in elements(value) for each in elements(names)]
