# The first thing that runs on the server: `sources` holds the package playsmith, which stays in memory.
import importlib
import importlib.machinery
import sys


class Memory:
    # No finder of importlib.abc, which costs more to import than all of this: every conversation begins with it.
    def find_spec(self, name, path=None, target=None):
        if name != "playsmith" and not name.startswith("playsmith."):
            return None
        is_package = any(source.startswith(name + ".") for source in sources)
        if is_package or name in sources:
            return importlib.machinery.ModuleSpec(name, self, is_package=is_package)
        return None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        name = module.__name__
        exec(compile(sources.get(name, ""), "<%s>" % name, "exec"), module.__dict__)


sys.dont_write_bytecode = True
sys.meta_path.insert(0, Memory())
importlib.import_module("playsmith.agent").main()
