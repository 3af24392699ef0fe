"""A text between double quotes as every reader of YAML takes it."""
import json
import re

NOT_PLAIN = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def yaml_text(text):
    """JSON, whose escapes would make two halves of a character like an emoji: readers refuse them, or keep them apart."""
    return NOT_PLAIN.sub(lambda each: "\\u%04x" % ord(each[0]), json.dumps(text, ensure_ascii=False))
