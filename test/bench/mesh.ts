import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { describe, down, type Lab } from '../../lab/index.ts';
import { nodes, raiseFleet } from '../support/hosts/fleet-lab.ts';
import { must } from '../support/hosts/lab.ts';
import { command, node } from './command.ts';
import { atMost, seen, type Figure } from './figure.ts';
import { interleaved, timed } from './interleaved.ts';
import type { Bench } from './options.ts';

const name = 'bench-mesh';
const cluster = 'edge-a';
const minute = 60;

/** A playbook that changes nothing, by the same machine on the same host: asked over a hop of the mesh, and over SSH. */
export async function mesh({ repetitions, say }: Bench): Promise<readonly Figure[]> {
  say(`mesh: making the lab ${name}`);
  const { lab, here } = await raiseFleet(name);
  const task = (...words: readonly string[]): Promise<string> =>
    command([...node, ...words], {}, here.folder);
  try {
    const direct = overSsh(lab, readFileSync(join(here.folder, `${cluster}.yml`), 'utf8'));
    await here.define(direct, 'direct.yml');
    await task('render', '-f', 'fleet.yml');
    say('mesh: building it');
    await task('run', '-f', 'fleet.yml');
    await task('render', '-f', `${cluster}.yml`);
    await task('fleet', 'run', '--cluster', cluster);
    const overMesh = timed(
      () => task('fleet', 'run', 'site', '--cluster', cluster),
      () => task('render', '-f', `${cluster}.yml`),
    );
    const ssh = timed(
      () => task('run', 'site', '-f', 'direct.yml'),
      () => task('render', '-f', 'direct.yml'),
    );
    const times = await interleaved({ overMesh, ssh }, repetitions);
    const more = times.overMesh - times.ssh;
    return [
      seen('mesh: a run that changes nothing, over SSH', times.ssh, 's'),
      seen('mesh: the same over a hop', times.overMesh, 's'),
      atMost('mesh: a run of a minute over SSH, and that much more : without', (minute + more) / minute, {
        unit: 'ratio',
        goal: 1.1,
      }),
    ];
  } finally {
    await here.remove();
    must(await down(name));
  }
}

/** The same cluster, whose execution node is reached over SSH as any Ansible server is. */
function overSsh(lab: Lab, definition: string): string {
  const { hosts, user, keyPath } = describe(lab);
  const host = hosts.find((each) => each.name === nodes.exec1);
  const document = parseDocument(definition);
  document.set('ansibleServer', {
    ...{ host: host?.address, user, hostKey: host?.hostKey },
    auth: { privateKey: keyPath },
  });
  return document.toString();
}
