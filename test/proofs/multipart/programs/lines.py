"""The loop that every Python reader shares: a line names a body and its content type, one line of JSON answers."""

import hashlib
import json
import sys


def value(name, kind, data):
    return {"name": name, "kind": kind, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}


def serve(read):
    for line in sys.stdin:
        path, content_type = line.rstrip("\n").split("\t")
        try:
            answer = list(read(path, content_type))
        except Exception as error:
            answer = {"error": repr(error)}
        print(json.dumps(answer), flush=True)


def environ(content_type, stream):
    """What a web server hands to an application."""
    stream.seek(0, 2)
    length = stream.tell()
    stream.seek(0)
    return {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "wsgi.url_scheme": "http",
        "wsgi.input": stream,
        "CONTENT_TYPE": content_type,
        "CONTENT_LENGTH": str(length),
    }
