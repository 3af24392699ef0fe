"""Secrets that come over a mesh: readable with the key of this node alone, and for the run that they were sent for."""
import base64
import json

from playsmith.fault import server_fault

KEY = "/etc/receptor/playsmith/seal.key"


def public_key():
    """In PEM; whoever sends secrets to this node seals them to it."""
    from cryptography.hazmat.primitives import serialization

    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return {"key": private_key().public_key().public_bytes(serialization.Encoding.PEM, form).decode()}


def private_key():
    """Openssl made it in a folder of root: whether its numbers are primes is not asked again, which takes a tenth of a second."""
    from cryptography.hazmat.primitives import serialization

    try:
        with open(KEY, "rb") as file:
            content = file.read()
    except OSError as error:
        raise server_fault("This node has no key for secrets", str(error), "Build the mesh: npx task run") from error
    try:
        return serialization.load_pem_private_key(content, None, unsafe_skip_rsa_key_validation=True)
    except TypeError:
        # Before cryptography 39.
        return serialization.load_pem_private_key(content, None)


def opened(request):
    """Secrets as every run has them. What was sealed for another run, or to another node, does not open."""
    found = request.get("secrets")
    if not found or "sealed" not in found:
        return found
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import padding
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    part = {name: base64.b64decode(found[name]) for name in ("key", "nonce", "sealed")}
    oaep = padding.OAEP(mgf=padding.MGF1(hashes.SHA256()), algorithm=hashes.SHA256(), label=None)
    try:
        key = private_key().decrypt(part["key"], oaep)
        return json.loads(AESGCM(key).decrypt(part["nonce"], part["sealed"], request["token"].encode()))
    except (ValueError, InvalidTag) as error:
        raise server_fault("The secrets do not open on this node", "sealed to another key, or for another run", "Run it again") from error
