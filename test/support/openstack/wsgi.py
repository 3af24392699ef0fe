"""Serves the API of Keystone or Barbican on loopback: wsgi.py MODULE-OR-PASTE-FILE PORT"""

import importlib
import sys

from paste import deploy
from waitress import serve

source, port = sys.argv[1:]
# They read the command line as their own.
sys.argv = ["api"]
application = (
    deploy.loadapp(f"config:{source}") if source.endswith(".ini") else importlib.import_module(source).application
)
serve(application, listen=f"127.0.0.1:{port}", threads=4)
