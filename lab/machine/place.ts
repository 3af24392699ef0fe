import { createHash } from 'node:crypto';
import { join } from 'node:path';
import process from 'node:process';
import { cacheFolder } from '../../tasks/runtime/folders.ts';
import { labFolder } from '../../tasks/runtime/package.ts';

/** Where the lab keeps things: all of it outside the checkout, so that a fresh clone finds the images again. */
export interface LabPlace {
  /** Everything below is in here, apart from `run`. */
  readonly folder: string;
  /** podman's own storage: images and the disks of the hosts; apart from the storage of the user's own containers. */
  readonly podman: string;
  /** What podman forgets when the machine restarts. */
  readonly run: string;
  /** Offline package repositories, one folder a recipe. */
  readonly packages: string;
  /** Disks that virtual machines begin with, one folder a recipe. */
  readonly virtual: string;
  /** What Kubernetes is installed from, one folder a recipe. */
  readonly kubernetes: string;
  /** Go's modules and what it compiled of them, for the next release. */
  readonly go: string;
  /** One folder a lab: its keys, passwords, volumes. */
  readonly labs: string;
}

/** In the folder of what can be made again. */
export function place(env: NodeJS.ProcessEnv = process.env): LabPlace {
  const folder = join(cacheFolder(env), 'lab');
  return {
    folder,
    podman: join(folder, 'podman'),
    run: `/run/playsmith-lab/${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`,
    packages: join(folder, 'packages'),
    virtual: join(folder, 'virtual'),
    kubernetes: join(folder, 'kubernetes'),
    go: join(folder, 'go'),
    labs: join(folder, 'labs'),
  };
}

/** The programs that run on lab hosts. */
export const filesFolder = labFolder;
