"""No line of events grows beyond what its readers can hold. What is left out is told where it was."""

# Characters of a result with all its texts, and of what Ansible printed of it.
RESULT = TEXT = 1_000_000
# What every other value of a result takes, about.
SMALL = 8


def limited(event, begin=lambda text, room: text[:room]):
    """`begin` gives the beginning of a text: only the scrubber knows where a secret would be cut in two."""
    data, text = event.get("event_data") or {}, event.get("stdout") or ""
    if size_of(data) <= RESULT and len(text) <= TEXT:
        return event
    return dict(event, event_data=cut(data, RESULT, begin), stdout=cut(text, TEXT, begin))


def size_of(value):
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict):
        return SMALL + sum(map(size_of_field, value.items()))
    return SMALL + sum(map(size_of, value)) if isinstance(value, list) else SMALL


def size_of_field(field):
    return len(str(field[0])) + size_of(field[1])


def cut(value, room, begin):
    if size_of(value) <= room:
        return value
    if isinstance(value, str):
        return "%s… %d more bytes" % (begin(value, room), len(value[room:].encode("utf-8", "replace")))
    if isinstance(value, dict):
        return cut_fields(value, room, begin)
    return cut_items(value, room, begin) if isinstance(value, list) else value


def cut_fields(value, room, begin):
    """The smallest first: one that is too big takes the room of no other."""
    found = {}
    for key, each in sorted(value.items(), key=size_of_field):
        share = room // (len(value) - len(found)) - len(str(key))
        if share <= SMALL:
            break
        found[key] = cut(each, share, begin)
        room -= size_of_field((key, found[key]))
    left = len(value) - len(found)
    kept = {key: found[key] for key in value if key in found}
    return dict(kept, **{"…": "%d more keys" % left}) if left else kept


def cut_items(value, room, begin):
    found = []
    while len(found) < len(value) and room > SMALL:
        found.append(cut(value[len(found)], room, begin))
        room -= size_of(found[-1])
    left = value[len(found):]
    return found + ["… %d more items, %d bytes" % (len(left), size_of(left))] if left else found
