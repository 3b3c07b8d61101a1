"""Reads bodies with the `cgi` module of Python."""

import cgi

from lines import environ, serve, value


def read(path, content_type):
    with open(path, "rb") as file:
        # It decodes in pieces of 64 KiB, which may end inside a character; in Latin-1 every byte is one.
        fields = cgi.FieldStorage(
            fp=file, environ=environ(content_type, file), keep_blank_values=True, encoding="latin-1"
        )
        for field in fields.list:
            if getattr(field, "filename", None) is None:
                yield value(field.name, "text", field.value.encode("latin-1"))
            else:
                yield value(field.name, "file", field.file.read())


serve(read)
