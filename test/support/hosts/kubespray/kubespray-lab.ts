import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Lab } from '../../../../lab/index.ts';
import { root } from '../../documents.ts';
import { commitAll } from '../../definitions/kubespray.ts';
import { on } from '../lab.ts';
import { putFiles } from '../openstack/osa-lab.ts';

/** Where the checkout of kubespray is on the Ansible server. */
export const tree = '/opt/kubespray';

const standIn = join(root, 'test/lab/kubespray-tree');

/** What a definition names the stand-in's files by: all of them programs, as they are put on a host. */
export function standInTree(): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'stand-in-')), 'tree');
  cpSync(standIn, folder, { recursive: true });
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), 0o755);
  const { tree: id } = commitAll(folder);
  rmSync(folder, { recursive: true });
  return id;
}

/** Puts the stand-in for a checkout on the Ansible server of a lab, with the virtual environment that its tag would have. */
export async function standInForKubespray(lab: Lab, version: string): Promise<void> {
  const files = readdirSync(standIn, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [join(tree, relative(standIn, path)), readFileSync(path, 'utf8')] as const);
  await putFiles(lab, 'ansible', Object.fromEntries(files));
  await on(lab, 'ansible', 'chown', '-R', 'ops:', tree);
  const bin = `~/playsmith/kubespray/${version}/venv/bin`;
  const links = ['python=python3', 'ansible-playbook=ansible-playbook'].map((link) => link.split('='));
  const make = links.map(([name = '', program = '']) => `ln -sf /usr/bin/${program} ${bin}/${name}`);
  await on(lab, 'ansible', 'su', 'ops', '-c', `mkdir -p ${bin} && ${make.join(' && ')}`);
}
