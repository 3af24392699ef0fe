import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { scopeInventory, type Scope } from '../../../generators/operations/scope.ts';
import { render } from '../../../generators/render.ts';
import { bundleFolder } from '../definitions/bundle-folder.ts';
import { templates } from '../definitions/templates.ts';
import { ansible, type Answer } from './ansible.ts';

export interface HostsHere {
  readonly folder: string;
  readonly play: (playbooks: readonly string[], variables: string, ...more: readonly string[]) => Answer;
}

/** A bundle all of whose hosts are this machine, with programs of ours, in bash, in place of systemd, containerd and kubectl. */
export function hostsHere(
  cluster: Cluster,
  programs: (folder: string) => Readonly<Record<string, string>>,
  scope?: Scope,
): HostsHere {
  const folder = bundleFolder(render(cluster, templates));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const [name, text] of Object.entries(programs(folder)))
    writeFileSync(join(bin, name), `#!/bin/bash\n${text}\n`, { mode: 0o755 });
  if (scope !== undefined)
    writeFileSync(join(folder, 'inventory/scope.yml'), scopeInventory(cluster.name, scope).text);
  for (const path of readdirSync(folder).filter((name) => name.endsWith('.yml')))
    replaceIn(join(folder, path), { 'become: true': 'become: false' });
  const here = 'ansible_connection=local ansible_python_interpreter=/usr/bin/python3';
  const environment = [`PATH=${bin}:${process.env['PATH'] ?? ''}`, 'ANSIBLE_SHOW_CUSTOM_STATS=true'];
  return {
    folder,
    play: (playbooks, variables, ...more) =>
      ansible(folder, [
        'env',
        ...environment,
        'ansible-playbook',
        ...['-i', 'inventory', '-e', here, '-e', variables, ...more, ...playbooks],
      ]),
  };
}

/** Puts texts of a file for others. */
export function replaceIn(path: string, replaced: Readonly<Record<string, string>>): void {
  const text = Object.entries(replaced).reduce(
    (sum, [from, to]) => sum.replaceAll(from, to),
    readFileSync(path, 'utf8'),
  );
  writeFileSync(path, text);
}
