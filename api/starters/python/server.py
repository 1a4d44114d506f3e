"""Answers every request. Needs nothing but Python itself."""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ANSWER = "Ahoy from Python. Change server.py, commit, and push.\n".encode()


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "text/plain; charset=utf-8")
        self.send_header("content-length", str(len(ANSWER)))
        self.end_headers()
        self.wfile.write(ANSWER)


# Dokku names the port.
port = int(os.environ.get("PORT", "5000"))
print(f"listening on {port}", flush=True)
ThreadingHTTPServer(("", port), Handler).serve_forever()
