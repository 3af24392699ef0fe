"""What kube-proxy shows of a node: a Service at port 30080 that answers with the node's name after a tenth of a second,
and /healthz at port 10256."""

import http.server
import socket
import socketserver
import threading
import time


class Service(http.server.BaseHTTPRequestHandler):
    delay = 0.1

    def do_GET(self):
        time.sleep(self.delay)
        body = socket.gethostname().encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Answered-By", socket.gethostname())
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Health(Service):
    delay = 0


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        # A health check hangs up as soon as it has its answer.
        pass


threading.Thread(target=Server(("", 10256), Health).serve_forever).start()
Server(("", 30080), Service).serve_forever()
