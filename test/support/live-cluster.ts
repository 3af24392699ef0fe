/** A kubectl, in bash, that knows lists and objects by their kind, and API servers that are `silent` by a part of their URL. */
export const kubectlOf = (said: object): string => `exec /usr/bin/python3 -SE - "$@" << 'END'
import json, sys
said = json.loads(${JSON.stringify(JSON.stringify(said))})
if "--raw" in sys.argv:
    sys.exit(int(any(silent in " ".join(sys.argv) for silent in said["silent"])))
found = said[sys.argv[sys.argv.index("get") + 1]]
print(json.dumps({"items": found} if isinstance(found, list) else found))
END`;

/** What is put for `def ask(` of module_utils/etcd.py: these answers by URL. */
export const etcdSaying = (
  answers: object,
): string => `ANSWERS = json.loads(${JSON.stringify(JSON.stringify(answers))})


def ask(path, request=None, url=HERE, seconds=10):
    return ANSWERS[url + path]


def not_asked(`;
