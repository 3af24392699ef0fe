import { createHash } from 'node:crypto';
import type { Bundle } from '../../../generators/bundle.ts';
import { byPath, type RenderedFile } from '../../../generators/rendered-file.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A bundle from files, as the generator packs it. */
export function bundleOf(files: Readonly<Record<string, string>>, cluster = 'try'): Bundle {
  const sorted = Object.entries(files)
    .map(([path, text]): RenderedFile => ({ path, text, mode: path.endsWith('.sh') ? '0755' : '0644' }))
    .sort(byPath);
  const digest = sha256(sorted.map(({ path, mode, text }) => JSON.stringify([path, mode, text])).join('\n'));
  const manifest = {
    digest,
    files: sorted.map(({ path, mode, text }) => ({ path, mode, sha256: sha256(text) })),
  };
  return {
    cluster,
    digest,
    files: [...sorted, { path: 'manifest.json', mode: '0644', text: `${JSON.stringify(manifest)}\n` }],
  };
}

const localHost = { ansible_connection: 'local', ansible_python_interpreter: '/usr/bin/python3' };

/** A bundle with one playbook, `site.yml`, for hosts that are this machine. */
export const playbookBundle = (
  playbook: string,
  hosts: Readonly<Record<string, object>> = { one: localHost },
): Bundle =>
  bundleOf({
    'ansible.cfg': '[defaults]\ninventory = inventory\n',
    'inventory/hosts.yml': `${JSON.stringify({ all: { hosts } })}\n`,
    'site.yml': playbook,
  });

export { localHost };
