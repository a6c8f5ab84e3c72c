"""Asks a time-stamp authority with Debian's python3-rfc3161ng, and verifies as it does.

rfc3161ng_client.py URL CERTIFICATE HASH CONTENT: prints the time of the token. CERTIFICATE is a file, or
"-" for the first one in the token.
"""

import hashlib
import sys

import rfc3161ng

url, certificate_file, name, content = sys.argv[1:]
digest = hashlib.new(name, content.encode()).digest()
certificate = b""
if certificate_file != "-":
    with open(certificate_file, "rb") as file:
        certificate = file.read()
client = rfc3161ng.RemoteTimestamper(url, hashname=name, include_tsa_certificate=True)
nonce = 2**63 + 1
reply = client(digest=digest, nonce=nonce, return_tsr=True)
token = reply.time_stamp_token
assert rfc3161ng.check_timestamp(
    token, certificate=certificate, digest=digest, hashname=name, nonce=nonce
)
for wrong in ({"digest": bytes(len(digest))}, {"nonce": nonce + 1}):
    try:
        rfc3161ng.check_timestamp(
            token,
            **{"certificate": certificate, "digest": digest, "hashname": name, "nonce": nonce, **wrong},
        )
    except ValueError:
        continue
    raise AssertionError(f"accepted with {wrong}")
print(int(rfc3161ng.get_timestamp(token, naive=False).timestamp()))
