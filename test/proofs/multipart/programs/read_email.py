"""Reads bodies with the `email` package, and forms with `urllib`, of Python."""

import email
import email.policy
import urllib.parse

from lines import serve, value


def read(path, content_type):
    with open(path, "rb") as file:
        body = file.read()
    if not content_type.startswith("multipart/"):
        for name, text in urllib.parse.parse_qsl(body.decode("ascii"), keep_blank_values=True, strict_parsing=True):
            yield value(name, "text", text.encode())
        return
    head = f"Content-Type: {content_type}\r\n\r\n".encode()
    for part in email.message_from_bytes(head + body, policy=email.policy.HTTP).get_payload():
        kind = "text" if part.get_filename() is None else "file"
        yield value(part.get_param("name", header="content-disposition"), kind, part.get_payload(decode=True))


serve(read)
