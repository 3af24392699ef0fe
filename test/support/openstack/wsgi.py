"""Serves the API of a service of OpenStack: wsgi.py MODULE-OR-PASTE-FILE ADDRESS:PORT"""

import importlib
import sys

from paste import deploy
from waitress import serve

source, listen = sys.argv[1:]
# They read the command line as their own.
sys.argv = ["api"]
application = (
    deploy.loadapp(f"config:{source}") if source.endswith(".ini") else importlib.import_module(source).application
)
serve(application, listen=listen, threads=4)
