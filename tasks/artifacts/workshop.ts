import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failed, ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';
import { createFolder, diskReason } from '../runtime/folders.ts';
import { indexFile, seal, type FolderContents, type Index } from './seal.ts';
import { filesBelow, sha256Of, sumsFile } from '../runtime/sums.ts';

/** A folder of artifacts while it is made: what was made before, by an earlier call too, is not made again. */
export interface Workshop {
  readonly folder: string;
  /** Holds what is needed only until the folder is complete. */
  readonly store: string;
  /** Has `work` make a file, unless it is there from the same origin. */
  readonly make: (
    path: string,
    origin: string,
    work: (target: string) => Promise<Result<void, Failure>>,
  ) => Promise<Result<void, Failure>>;
  /** Removes what no longer belongs there, and seals the folder. */
  readonly finish: (about: Omit<FolderContents, 'origins'>) => Promise<Result<string, Failure>>;
}

/** What an earlier call made: path → where it came from, and its SHA-256. */
type MadeFiles = Map<string, MadeFile>;

interface MadeFile {
  readonly origin: string;
  readonly sha256: string;
}

const store = '.partial';

/** Opens a folder for artifacts; one that holds anything else is left alone. */
export async function openWorkshop(folder: string): Promise<Result<Workshop, Failure>> {
  try {
    createFolder(join(folder, store));
    const made = await readMade(folder);
    const names = (await readdir(folder)).filter((name) => name !== store);
    if (made === undefined && names.length > 0) return failed(foreign(folder));
    return ok(workshop(folder, made ?? new Map<string, MadeFile>()));
  } catch (error) {
    return failed({ kind: 'file', message: `cannot write ${folder}: ${diskReason(error)}` });
  }
}

function workshop(folder: string, made: MadeFiles): Workshop {
  const before = new Set(made.keys());
  const wanted = new Map<string, string>();
  return {
    folder,
    store: join(folder, store),
    make: async (path, origin, work) => {
      wanted.set(path, origin);
      const target = join(folder, path);
      const known = made.get(path);
      if (known?.origin === origin && (await sha256Of(target).catch(() => '')) === known.sha256)
        return ok(undefined);
      createFolder(dirname(target));
      // From here on the folder is not what its sums say.
      await rm(join(folder, sumsFile), { force: true });
      const done = await work(target);
      if (!done.ok) return done;
      made.set(path, { origin, sha256: await sha256Of(target) });
      await writeFile(join(folder, store, 'made.json'), JSON.stringify([...made]));
      return ok(undefined);
    },
    finish: async (about) => {
      const own = (path: string): boolean =>
        wanted.has(path) || [indexFile, sumsFile].includes(path) || path.startsWith(`${store}/`);
      const others = (await filesBelow(folder)).filter((path) => !own(path));
      const strangers = others.filter((path) => !before.has(path));
      if (strangers.length > 0) return failed(strange(folder, strangers));
      for (const path of others) await rm(join(folder, path));
      await rm(join(folder, store), { recursive: true });
      return seal(folder, { ...about, origins: wanted });
    },
  };
}

/** From the notes of a call that was cut short, else from the index; undefined when there is neither. */
async function readMade(folder: string): Promise<MadeFiles | undefined> {
  const notes = join(folder, store, 'made.json');
  const made: MadeFiles = new Map();
  if (existsSync(join(folder, indexFile))) {
    const index = JSON.parse(await readFile(join(folder, indexFile), 'utf8')) as Index;
    for (const { path, origin, sha256 } of index.files) made.set(path, { origin, sha256 });
  }
  if (existsSync(notes))
    for (const [path, each] of JSON.parse(await readFile(notes, 'utf8')) as typeof made) made.set(path, each);
  return existsSync(notes) || existsSync(join(folder, indexFile)) ? made : undefined;
}

const foreign = (folder: string): Failure => ({
  kind: 'file',
  message: `${folder} is not empty and holds no artifacts; nothing was written`,
  next: 'Name a new folder with --to',
});

const strange = (folder: string, paths: readonly string[]): Failure => ({
  kind: 'file',
  message: `${folder} holds what does not belong there: ${paths.join(', ')}`,
  next: 'Move it away, then run this again: nothing is fetched twice',
});
