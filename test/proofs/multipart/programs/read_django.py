"""Reads bodies with Django."""

from django.conf import settings

settings.configure(ALLOWED_HOSTS=["*"], DATA_UPLOAD_MAX_MEMORY_SIZE=None)

from django.core.handlers.wsgi import WSGIRequest
from lines import environ, serve, value


def read(path, content_type):
    with open(path, "rb") as file:
        request = WSGIRequest(environ(content_type, file))
        for name, texts in request.POST.lists():
            for text in texts:
                yield value(name, "text", text.encode())
        for name, uploads in request.FILES.lists():
            for upload in uploads:
                yield value(name, "file", upload.read())


serve(read)
