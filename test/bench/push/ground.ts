import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bundle } from '../../../generators/bundle.ts';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { readTemplates } from '../../../library/texts.ts';
import { write } from '../../../tasks/steps/bundle/write.ts';
import { delayProxy, type DelayProxy } from '../../support/server/delay-proxy.ts';
import { startSshd, type Sshd } from '../../support/server/sshd.ts';
import { bundleOf } from '../bundle.ts';
import { definitionOf } from '../definition.ts';

/** A real sshd on loopback behind a proxy that delays, and the bundle of a cluster of five nodes to bring there. Close it. */
export interface Ground {
  readonly sshd: Sshd;
  readonly proxy: DelayProxy;
  readonly cluster: Cluster;
  readonly bundle: Bundle;
  /** The bundle as files. */
  readonly folder: string;
  /** The definition, and the folder that holds its bundle. */
  readonly file: string;
  readonly output: string;
  /** A path of the server that is free. */
  readonly freshFolder: () => string;
  /** The server has no bundle any more. */
  readonly forget: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** `milliseconds` of delay each way. */
export async function prepareGround(milliseconds: number): Promise<Ground> {
  const sshd = await startSshd();
  const proxy = await delayProxy(sshd.port, milliseconds);
  const place = mkdtempSync(join(tmpdir(), 'playsmith-bench-'));
  const [directory, others] = [join(place, 'playsmith'), join(place, 'others')];
  mkdirSync(others);
  let folders = 0;
  return {
    sshd,
    proxy,
    ...(await writeBundle(place, serverOf(sshd, proxy, directory))),
    freshFolder: () => join(others, `${(folders += 1)}`),
    forget: () => {
      rmSync(directory, { recursive: true, force: true });
      return Promise.resolve();
    },
    close: async () => {
      await proxy.close();
      sshd.close();
      rmSync(place, { recursive: true, force: true });
    },
  };
}

type ServerSettings = NonNullable<NonNullable<Parameters<typeof definitionOf>[1]>['ansibleServer']>;

const serverOf = (sshd: Sshd, { port }: DelayProxy, directory: string): ServerSettings => ({
  host: '127.0.0.1',
  port,
  auth: { privateKey: sshd.privateKey },
  hostKey: sshd.fingerprint,
  directory,
});

async function writeBundle(
  place: string,
  ansibleServer: ServerSettings,
): Promise<Pick<Ground, 'cluster' | 'bundle' | 'folder' | 'file' | 'output'>> {
  const templates = readTemplates();
  const text = definitionOf(5, { ansibleServer });
  const [file, output] = [join(place, 'cluster.yml'), join(place, 'playbooks')];
  writeFileSync(file, text);
  const { cluster, bundle } = bundleOf(text, templates);
  const folder = join(output, cluster.name);
  const written = await write(bundle, folder);
  if (!written.ok) throw new Error(written.failure.message);
  return { cluster, bundle, folder, file, output };
}
