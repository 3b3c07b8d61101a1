"""Reads multipart bodies with python-multipart, which leaves forms encoded."""

import multipart

from lines import serve, value


def read(path, content_type):
    found = []

    def on_field(field):
        found.append(value(field.field_name.decode(), "text", field.value))

    def on_file(upload):
        upload.file_object.seek(0)
        found.append(value(upload.field_name.decode(), "file", upload.file_object.read()))

    with open(path, "rb") as file:
        multipart.parse_form({"Content-Type": content_type}, file, on_field, on_file)
    return found


serve(read)
