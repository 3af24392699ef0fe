# The first thing that runs on the server: `sources` holds the package playsmith, which stays in memory.
import importlib
import importlib.abc
import importlib.util
import sys


class Memory(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        is_package = any(source.startswith(name + ".") for source in sources)
        if is_package or name in sources:
            return importlib.util.spec_from_loader(name, self, is_package=is_package)
        return None

    def exec_module(self, module):
        name = module.__name__
        exec(compile(sources.get(name, ""), "<%s>" % name, "exec"), module.__dict__)


sys.dont_write_bytecode = True
sys.meta_path.insert(0, Memory())
importlib.import_module("playsmith.agent").main()
