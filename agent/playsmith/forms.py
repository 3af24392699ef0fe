"""The forms in which programs write a value: quoted, escaped, coded, and all of this in one another."""
import base64
import json
import re
import urllib.parse

SHORTEST = 4
# A line of a value is looked for on its own: from this length on anywhere, below it where it is a whole word.
LONG_LINE = 8
# Below it a piece of base32 is a word in capitals.
LEAST_BASE32 = 6
HEXADECIMAL32 = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "0123456789ABCDEFGHIJKLMNOPQRSTUV")
NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?")


def forms_of(value):
    """Texts that may stand anywhere, and codes, which programs break into lines."""
    texts, codes = set(), set()
    whole = {value, value.strip(), value.strip("\r\n"), value.replace("\r\n", "\n"), re.sub(r"\r?\n", "\r\n", value)}
    for each in whole:
        first = written(each)
        texts |= nested(first) | nested(written("\0".join(each))) | {str(number) for number in numbers_of(each)}
        for text in first:
            codes |= coded(text)
        codes |= in_base32(each.encode("utf-8", "surrogatepass"))
    for line in {line for line in value.splitlines() if len(line) >= LONG_LINE}:
        texts |= nested(written(line) | written(line.strip()))
        codes |= simply_coded(line.encode("utf-8", "surrogatepass")) | in_base32(line.encode("utf-8", "surrogatepass"))
    return {each for each in texts if len(each) >= SHORTEST}, {each for each in codes if len(each) >= SHORTEST}


def numbers_of(value):
    """YAML and JSON make a number of it, some of them a number with a fraction."""
    if not NUMBER.fullmatch(value.strip()) or len(value) > 300:
        return set()
    number = float(value)
    return {each for each in (number, int(number) if number.is_integer() else number) if abs(number) != float("inf")}


def written(text):
    """As formats and shells quote it, once."""
    marks = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    found = {text, marks} | as_json(text) | as_url(text)
    found |= {marks.replace("'", one).replace('"', two) for one in ("'", "&#x27;", "&#39;", "&apos;") for two in ("&quot;", "&#34;")}
    found |= {repr(text)[1:-1], ascii(text)[1:-1], repr(text.encode("utf-8", "surrogatepass"))[2:-1]}
    found |= {each.replace("\\'", "'").replace("'", "\\'") for each in (repr(text)[1:-1], ascii(text)[1:-1])}
    found |= {text.replace("'", each) for each in ("''", "'\"'\"'", "'\\''", "\\'")} | {text.replace('"', '""')}
    # Units of systemd, files of Compose.
    found |= {text.replace(sign, sign * 2) for sign in "%$"} | {as_octal(text), as_octal(text.replace("\\", "\\\\").replace("'", "\\'"))}
    found |= {re.sub(special, r"\\\1", text) for special in (r'([$`"\\])', r'([$`"\\!])', r"([^\w@%+=:,./-])", r"([^\w@%+=:./-])")}
    # PyYAML between double quotes.
    return found | {re.sub(r"[^\x00-\x7f]", lambda each: yaml_escape(ord(each[0])), json.dumps(text, ensure_ascii=False)[1:-1])}


def as_octal(text):
    """Bash where its locale knows no such character; git of names of files."""
    return re.sub(r"[^\x00-\x7f]", lambda each: "".join("\\%03o" % byte for byte in each[0].encode("utf-8", "surrogatepass")), text)


def yaml_escape(code):
    return ("\\x%02X" if code < 0x100 else "\\u%04X" if code < 0x10000 else "\\U%08X") % code


def as_json(text):
    """Python, Go (which escapes what means something to HTML), Jinja, PHP, JavaScript."""
    found = {json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}
    for signs in ("[<>&\u2028\u2029]", "[<>&']", "[<>&'+]"):
        found |= {re.sub(signs, lambda each: "\\u%04x" % ord(each[0]), each) for each in found}
    found |= {re.sub(r"\\u[0-9a-f]{4}", lambda each: "\\u" + each[0][2:].upper(), each) for each in found}
    return found | {each.replace("/", "\\/") for each in found}


def as_url(text):
    found = set()
    for safe in ("", "/", "~", "!'()*~", "!'()*~;,/?:@&=+$#"):
        quoted = urllib.parse.quote(text.encode("utf-8", "surrogatepass"), safe=safe)
        found |= {quoted, quoted.replace("%20", "+"), urllib.parse.quote(quoted, safe=""), quoted.replace("%", "%%")}
    return found | {re.sub("%[0-9A-F]{2}", lambda each: each[0].lower(), each) for each in found}


def nested(texts):
    """What a program quoted is a text in JSON again, up to three times in all."""
    found, last = set(texts), set(texts)
    for _ in range(2):
        last = {form for each in last for form in (json.dumps(each)[1:-1], json.dumps(each, ensure_ascii=False)[1:-1], repr(each)[1:-1])} - found
        found |= last
    return found


def coded(text):
    found = set()
    for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
        found |= simply_coded(text.encode(encoding, "surrogatepass"))
    for each in middles(text.encode("utf-8", "surrogatepass")):
        # The login of a registry, in a Secret.
        found |= middles(each.encode())
    return found


def simply_coded(data):
    pairs = data.hex(" ").split(" ")
    found = {sign.join(pairs) for sign in ("", " ", ":", "-", "\\x", "%", "\\\\x", ", 0x")}
    found |= {each.upper() for each in found if "x" not in each} | {each.replace("x", "X").upper().replace("X", "x") for each in found}
    standard = middles(data) | {base64.b64encode(data).decode(), base64.b64encode(data).decode().rstrip("=")}
    found |= standard | {each.replace("+", "-").replace("/", "_") for each in standard}
    escaped = {urllib.parse.quote(each, safe="") for each in standard} | {each.replace("/", "\\/") for each in standard}
    return found | escaped | {re.sub("%[0-9A-F]{2}", lambda code: code[0].lower(), each) for each in escaped}


def middles(data):
    """The characters of base64 that depend on nothing but the data, which may begin at any of three places of a group."""
    found = set()
    for before in range(3):
        text = base64.b64encode(bytes(before) + data).decode()
        found.add(text[-(-before * 8 // 6) : (before + len(data)) * 8 // 6])
    return found


def in_base32(data):
    """The same of base32, whose groups have five places; in its other alphabet as well."""
    found = set()
    for before in range(5):
        text = base64.b32encode(bytes(before) + data).decode()
        found.add(text[-(-before * 8 // 5) : (before + len(data)) * 8 // 5])
    found = {each for each in found if len(each) >= LEAST_BASE32}
    return found | {each.translate(HEXADECIMAL32) for each in found}
