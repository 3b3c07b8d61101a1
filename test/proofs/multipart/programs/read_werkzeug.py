"""Reads bodies with Werkzeug."""

from lines import environ, serve, value
from werkzeug.wrappers import Request


def read(path, content_type):
    with open(path, "rb") as file:
        request = Request(environ(content_type, file))
        for name, text in request.form.items(multi=True):
            yield value(name, "text", text.encode())
        for name, upload in request.files.items(multi=True):
            yield value(name, "file", upload.read())


serve(read)
