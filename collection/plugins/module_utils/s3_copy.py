"""Copies of snapshots in a bucket of S3, or of what speaks its protocol.

Requests are signed as AWS Signature Version 4 says: with the SHA-256 of the body, which the server compares. Nothing of the
keys is in arguments, the environment or a file.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import re
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree

from ansible_collections.playsmith.host.plugins.module_utils.host import digest
from ansible_collections.playsmith.host.plugins.module_utils.kubernetes import Failure

# What S3 takes in one request, and the parts of what is larger.
LARGEST, PART = 5 * 2**30, 2**30
MOST_OF_ANSWER = 8 * 2**20


def signature(secret, scope, text):
    """Of a text, by a key for one day, region and service: `20130524/us-east-1/s3/aws4_request`."""
    key = ("AWS4" + secret).encode()
    for word in [*scope.split("/"), text]:
        key = hmac.new(key, word.encode(), hashlib.sha256).digest()
    return key.hex()


def authorization(method, address, headers, keys):
    """The header that signs a request; `headers` hold x-amz-date and x-amz-content-sha256, `keys` id, secret and region."""
    parts = urllib.parse.urlsplit(address)
    signed = sorted([(name.lower(), value) for name, value in headers.items()] + [("host", parts.netloc)])
    names = ";".join(name for name, _ in signed)
    lines = ["%s:%s" % (name, " ".join(value.split())) for name, value in signed]
    whole = [method, parts.path, parts.query, *lines, "", names, headers["x-amz-content-sha256"]]
    moment = headers["x-amz-date"]
    scope = "%s/%s/s3/aws4_request" % (moment[:8], keys["region"])
    text = "AWS4-HMAC-SHA256\n%s\n%s\n%s" % (moment, scope, hashlib.sha256("\n".join(whole).encode()).hexdigest())
    return "AWS4-HMAC-SHA256 Credential=%s/%s,SignedHeaders=%s,Signature=%s" % (
        keys["access_key_id"],
        scope,
        names,
        signature(keys["secret_access_key"], scope, text),
    )


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A signature is for one address."""

    def redirect_request(self, *_):
        return None


class Slice:
    """A part of a file, as the body of a request."""

    def __init__(self, file, size):
        self.file, self.left = file, size

    def read(self, most=-1):
        data = self.file.read(self.left if most < 0 else min(most, self.left))
        self.left -= len(data)
        return data


class S3:
    """`given` are the suboptions of the module, `folder` what follows its prefix."""

    def __init__(self, given, folder):
        self.given = given
        self.folder = "%s%s/" % (given["prefix"], folder)
        context = ssl.create_default_context(cafile=os.path.expanduser(given["ca"]) if given["ca"] else None)
        self.opener = urllib.request.build_opener(NoRedirect, urllib.request.HTTPSHandler(context=context))

    def __str__(self):
        return "%s/%s/%s" % (self.given["endpoint"].rstrip("/"), self.given["bucket"], self.folder)

    def list(self):
        """Names to sizes."""
        found, token = {}, ""
        while True:
            query = {"list-type": "2", "prefix": self.folder, **({"continuation-token": token} if token else {})}
            page = self.document(self.ask("GET", "", query))
            for entry in page.iter("Contents"):
                key, size = entry.findtext("Key", ""), entry.findtext("Size", "")
                if key.startswith(self.folder) and size.isdigit():
                    found[key[len(self.folder) :]] = int(size)
            token = page.findtext("NextContinuationToken", "")
            if page.findtext("IsTruncated") != "true" or not token:
                return found

    def put(self, source, name):
        """There as a whole or not at all; the server compares the body with its checksum, and then it is asked for both."""
        size, checksum = os.path.getsize(source), digest(source)
        about = {"x-amz-meta-sha256": checksum}
        if size > LARGEST:
            self.put_parts(source, name, about)
        else:
            code = base64.b64encode(bytes.fromhex(checksum)).decode()
            with open(source, "rb") as file:
                self.ask("PUT", name, body=(file, size, checksum), headers={**about, "x-amz-checksum-sha256": code})
        there = self.ask("HEAD", name, headers={"x-amz-checksum-mode": "ENABLED"}).headers
        wanted = [str(size), checksum]
        if [there.get("Content-Length"), there.get("x-amz-meta-sha256")] != wanted:
            raise Failure("what it says that it has of %s is not what it was sent" % name)

    def put_parts(self, source, name, about):
        begun = self.document(self.ask("POST", name, {"uploads": ""}, headers=about))
        upload = {"uploadId": begun.findtext("UploadId", "")}
        try:
            tags = []
            for number, at in enumerate(range(0, os.path.getsize(source), PART), start=1):
                tags.append(self.put_part(source, at, name, {"partNumber": str(number), **upload}))
            lines = [
                "<Part><PartNumber>%d</PartNumber><ETag>%s</ETag></Part>" % each for each in enumerate(tags, start=1)
            ]
            text = "<CompleteMultipartUpload>%s</CompleteMultipartUpload>" % "".join(lines)
            # It may say after all that it failed, behind a status that says that it did not.
            if self.document(self.ask("POST", name, upload, text=text)).tag == "Error":
                raise Failure("it did not put the parts of %s together" % name)
        except Failure:
            self.ask("DELETE", name, upload)
            raise

    def put_part(self, source, at, name, query):
        size = min(PART, os.path.getsize(source) - at)
        with open(source, "rb") as file:
            file.seek(at)
            checksum, part = hashlib.sha256(), Slice(file, size)
            while data := part.read(1 << 20):
                checksum.update(data)
            file.seek(at)
            return self.ask("PUT", name, query, body=(Slice(file, size), size, checksum.hexdigest())).headers["ETag"]

    def get(self, name, target):
        with open(target, "wb") as file, self.ask("GET", name) as answer:
            while data := answer.read(1 << 20):
                file.write(data)

    def remove(self, names):
        for name in names:
            self.ask("DELETE", name)

    def ask(self, method, name, query=None, headers=None, body=None, text=""):
        """The answer. `body` is a file, its size and its SHA-256; a key is below the folder, and none is the bucket itself."""
        body = body or (text.encode(), len(text.encode()), hashlib.sha256(text.encode()).hexdigest())
        key = "/" + self.folder + name if name else ""
        path = urllib.parse.quote("/%s%s" % (self.given["bucket"], key), safe="/-_.~")
        words = sorted((query or {}).items())
        asked = "&".join("%s=%s" % (name, urllib.parse.quote(value, safe="-_.~")) for name, value in words)
        address = self.given["endpoint"].rstrip("/") + path + ("?" + asked if asked else "")
        moment = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        signed = {"x-amz-date": moment, "x-amz-content-sha256": body[2], **(headers or {})}
        request = urllib.request.Request(address, method=method, headers=signed)
        request.add_header("Authorization", authorization(method, address, signed, self.given))
        if method in ("PUT", "POST"):
            request.data = body[0]
            request.add_header("Content-Length", str(body[1]))
            request.add_header("Content-Type", "application/octet-stream")
        try:
            return self.opener.open(request, timeout=120)
        except urllib.error.HTTPError as error:
            raise Failure("%d %s" % (error.code, said(error.read(4096)) or error.reason)) from error
        except (OSError, ValueError) as error:
            raise Failure(str(getattr(error, "reason", error))) from error

    def document(self, answer):
        data = answer.read(MOST_OF_ANSWER + 1)
        if len(data) > MOST_OF_ANSWER or b"<!DOCTYPE" in data:
            raise Failure("it answers with what no S3 does")
        try:
            return xml.etree.ElementTree.fromstring(re.sub(rb' xmlns="[^"]*"', b"", data))
        except xml.etree.ElementTree.ParseError as error:
            raise Failure("it does not answer as S3 does: %s" % error) from error


def said(body):
    """Of an error: its code and its message, on one line."""
    text = body.decode(errors="replace")
    found = [re.search("<%s>([^<]*)</%s>" % (tag, tag), text) for tag in ("Code", "Message")]
    return "".join(each for each in ": ".join(match.group(1) for match in found if match) if each.isprintable())
