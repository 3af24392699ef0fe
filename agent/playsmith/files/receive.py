"""Bundles that come inside a request."""
import base64
import os

from playsmith.fault import writing
from playsmith.files import bundle


def receive(places, request, session):
    """The archive came with the request: over a mesh nothing else is carried."""
    found = bundle.stat(places, request["cluster"], request["digest"])
    if found["there"]:
        return {"there": True, "wasThere": True}
    content = base64.b64decode(request["archive"])
    with writing(found["partial"]), open(os.open(found["partial"], os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
    return dict(bundle.unpack(places, dict(request, partial=found["partial"], size=len(content)), session), wasThere=False)
