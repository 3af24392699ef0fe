"""A TLS server that answers the way a healthy Kubernetes API server does: stand-in-api.py PORT PEM."""

import http.server
import socket
import socketserver
import ssl
import sys


class Handler(http.server.BaseHTTPRequestHandler):
    timeout = 5

    def do_GET(self):
        found = {"/readyz": "ok", "/livez": "ok", "/healthz": "ok", "/": socket.gethostname()}.get(self.path)
        body = (found or "not found").encode()
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Answered-By", socket.gethostname())
        self.end_headers()
        self.wfile.write(body)

    def setup(self):
        # The handshake belongs to the connection's own thread: a client that never speaks must not stop the others.
        self.request.settimeout(self.timeout)
        self.request.do_handshake()
        super().setup()

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingTCPServer):
    address_family = socket.AF_INET6
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        # A health check that hangs up half-way is not worth a stack trace in the journal.
        pass


port, certificate = int(sys.argv[1]), sys.argv[2]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate)
server = Server(("::", port), Handler)
server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
server.serve_forever()
