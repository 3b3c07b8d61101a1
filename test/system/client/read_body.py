"""Reads the bodies on standard input with the `email` package, and forms with `urllib`, of Python: JSON in, JSON out."""

import base64
import email
import email.policy
import json
import sys
import urllib.parse


def read(content_type, body):
    if not content_type.startswith("multipart/"):
        for name, text in urllib.parse.parse_qsl(body.decode("ascii"), keep_blank_values=True, strict_parsing=True):
            yield name, "text", text.encode()
        return
    head = f"Content-Type: {content_type}\r\n\r\n".encode()
    for part in email.message_from_bytes(head + body, policy=email.policy.HTTP).get_payload():
        kind = "text" if part.get_filename() is None else "file"
        yield part.get_param("name", header="content-disposition"), kind, part.get_payload(decode=True)


def answer(sent):
    try:
        found = read(sent["contentType"], base64.b64decode(sent["bytes"]))
        return [[name, kind, base64.b64encode(data).decode()] for name, kind, data in found]
    except Exception as error:
        return repr(error)


json.dump([answer(sent) for sent in json.load(sys.stdin)], sys.stdout)
