import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { agentFolder } from '../package.ts';

/**
 * The server's half, sent to a Python that keeps it in memory: nothing is installed, so it always fits this client,
 * and nothing but this fixed text is in the arguments of a process.
 */
export function agentProgram(): Buffer {
  archive ??= pack();
  return archive;
}

let archive: Buffer | undefined;

function pack(): Buffer {
  const paths = readdirSync(join(agentFolder, 'playsmith'), { recursive: true, encoding: 'utf8' });
  const sources = paths
    .filter((path) => path.endsWith('.py'))
    .sort()
    .map((path) => [
      `playsmith.${path.slice(0, -'.py'.length).replaceAll('/', '.')}`,
      readFileSync(join(agentFolder, 'playsmith', path), 'utf8'),
    ]);
  const program = deflateSync(
    JSON.stringify({
      loader: readFileSync(join(agentFolder, 'loader.py'), 'utf8'),
      sources: Object.fromEntries(sources) as Record<string, string>,
    }),
  );
  return Buffer.concat([Buffer.from(`${program.length}\n`), program]);
}

/** Reads the program from standard input, then becomes it. */
export const bootstrap =
  'import json,sys,zlib;i=sys.stdin.buffer;p=json.loads(zlib.decompress(i.read(int(i.readline()))));' +
  'exec(p["loader"],{"sources":p["sources"]})';

/**
 * The Python that bootstrap made below the directory, if that is ours alone, else the one that runs ansible-playbook, else the first in the
 * path. Isolated: neither the folder it starts in nor the user's own packages take part. Every login shell understands the line.
 */
export const agentLine = (quotedDirectory: string): string =>
  `exec sh -c '${script}' playsmith ${quotedDirectory}`;

/** The first that a shell says which really runs the line: without it, something else was run. */
export const began = 'playsmith begins';

const script = [
  `echo ${began}`,
  'd=$1',
  'case $d in "~"|"~/"*) d=$HOME${d#"~"};; esac',
  'p=$d/venv/bin/python',
  'l=',
  // Whoever may write there would be the one who runs
  'w=$(find "$d/." "$d/venv/." "$d/venv/bin/." -prune -perm /022 2>&1)',
  '{ [ -O "$d" ] && [ -x "$p" ] && [ -z "$w" ]; } || { p=python3; a=$(command -v ansible-playbook) && IFS= read -r l <"$a"; }',
  // csh would take an exclamation mark for itself
  'case $l in "#"?*/env*) ;; "#"?*/python*) p=${l#??}; p=${p# }; p=${p%% *};; esac',
  `exec "$p" -I -c "${bootstrap.replaceAll('"', String.raw`\"`)}" playsmith`,
].join('; ');
