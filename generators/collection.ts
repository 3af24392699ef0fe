import type { Templates } from './engine.ts';
import type { RenderedFile } from './rendered-file.ts';
import { renderedFile } from './phases/phase.ts';

/** Where the texts of the room `collection/` are among the templates, and where Ansible looks for them in a bundle. */
const room = 'collection/';
const bundleFolder = 'collections/ansible_collections/playsmith/host/';
const about = ['galaxy.yml', 'meta/runtime.yml'];

/** The modules of playsmith.host that playbooks name, with all that these import, byte for byte; none, no collection. */
export function collectionOf(playbooks: readonly RenderedFile[], texts: Templates): readonly RenderedFile[] {
  const named = playbooks
    .filter(({ path }) => /^[\w-]+\.yml$/.test(path))
    .flatMap(({ text }) => modulesIn(text));
  if (named.length === 0) return [];
  const plugins = named.flatMap((name) => pluginsOf(name, texts));
  return [...about, ...new Set(plugins)].map((path) =>
    renderedFile(`${bundleFolder}${path}`, text(path, texts)),
  );
}

/** The version of the collection among the files of a bundle. */
export const collectionVersion = (files: readonly RenderedFile[]): string | undefined =>
  /^version: (\S+)$/m.exec(files.find(({ path }) => path === `${bundleFolder}galaxy.yml`)?.text ?? '')?.[1];

const modulesIn = (playbook: string): readonly string[] => [
  ...new Set([...playbook.matchAll(/^ +(?:- )?playsmith\.host\.(\w+):/gm)].map(([, name = '']) => name)),
];

function pluginsOf(name: string, texts: Templates): readonly string[] {
  const action = `plugins/action/${name}.py`;
  return [`plugins/modules/${name}.py`, ...(`${room}${action}` in texts ? [action] : [])].flatMap((path) =>
    withImports(path, texts),
  );
}

/** A plugin, and what of `module_utils` it imports over any way. */
function withImports(path: string, texts: Templates): readonly string[] {
  return [path, ...importsOf(text(path, texts)).flatMap((each) => withImports(each, texts))];
}

/** `from ….module_utils.host import read` and `from ….module_utils import host, etcd`. */
function importsOf(program: string): readonly string[] {
  const utils =
    /^from ansible_collections\.playsmith\.host\.plugins\.module_utils(?:\.(\w+))? import (.*)$/gm;
  return [...program.matchAll(utils)].flatMap(([, file, names = '']) =>
    (file === undefined ? names.split(', ') : [file]).map((name) => `plugins/module_utils/${name}.py`),
  );
}

function text(path: string, texts: Templates): string {
  const found = texts[room + path];
  if (found === undefined) throw new Error(`there is no ${room}${path}`);
  return found;
}
