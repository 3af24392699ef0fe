import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Lab } from '../../lab/index.ts';
import { root } from './documents.ts';
import { on } from './lab.ts';
import { putFiles } from './osa-lab.ts';

/** Where the checkout of kubespray is on the Ansible server. */
export const tree = '/opt/kubespray';

/** Puts the stand-in for a checkout on the Ansible server of a lab, with the virtual environment that its tag would have. */
export async function standInForKubespray(lab: Lab, version: string): Promise<void> {
  const from = join(root, 'test/lab/kubespray-tree');
  const files = readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [join(tree, relative(from, path)), readFileSync(path, 'utf8')] as const);
  await putFiles(lab, 'ansible', Object.fromEntries(files));
  await on(lab, 'ansible', 'chown', '-R', 'ops:', tree);
  const bin = `~/playsmith/kubespray/${version}/venv/bin`;
  const links = ['python=python3', 'ansible-playbook=ansible-playbook'].map((link) => link.split('='));
  const make = links.map(([name = '', program = '']) => `ln -sf /usr/bin/${program} ${bin}/${name}`);
  await on(lab, 'ansible', 'su', 'ops', '-c', `mkdir -p ${bin} ${tree}/record && ${make.join(' && ')}`);
}
