"""Writes a value of 900 kB to one key of etcd, again and again: argv has how often, at most. Prints how often it was taken."""

import base64
import json
import os
import ssl
import sys
import urllib.error
import urllib.request

PKI = "/etc/kubernetes/pki/etcd/"
context = ssl.create_default_context(cafile=PKI + "ca.crt")
context.load_cert_chain(PKI + "healthcheck-client.crt", PKI + "healthcheck-client.key")

taken = 0
for _ in range(int(sys.argv[1])):
    value = base64.b64encode(os.urandom(900_000)).decode()
    body = json.dumps({"key": base64.b64encode(b"/lab/filling").decode(), "value": value}).encode()
    try:
        urllib.request.urlopen(urllib.request.Request("https://localhost:2379/v3/kv/put", body), context=context).read()
    except urllib.error.HTTPError as error:
        print(error.read().decode(), file=sys.stderr)
        break
    taken += 1
print(taken)
