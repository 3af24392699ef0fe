import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { render } from '../../generators/render.ts';
import { ansible } from '../support/server/ansible.ts';
import { bundleFolder } from '../support/definitions/bundle-folder.ts';
import { clusterWith, configMap } from '../support/definitions/cnfs.ts';
import { templates } from '../support/definitions/templates.ts';

const cluster = clusterWith(
  'cnfs:\n  - { name: one, manifests: [a.yaml] }\n  - { name: two, manifests: [b.yaml] }\n  - { name: three, manifests: [c.yaml] }\n',
  { 'a.yaml': configMap('a'), 'b.yaml': configMap('b'), 'c.yaml': configMap('c') },
);

/** The playbook as Ansible runs it on this machine, with a module in place of its own that fails for one of the CNFs. */
function run(
  operation: 'instantiate' | 'update' | 'terminate',
  failing: string,
  more: readonly string[] = [],
) {
  const folder = bundleFolder(render(cluster, templates));
  const playbook = join(folder, `cnf-${operation}.yml`);
  writeFileSync(
    join(folder, 'collections/ansible_collections/playsmith/host/plugins/modules/cnf.py'),
    module(failing),
  );
  writeFileSync(playbook, readFileSync(playbook, 'utf8').replaceAll('become: true', 'become: false'));
  writeFileSync(
    join(folder, 'here.yml'),
    'kubectl_host: { hosts: { master01: { ansible_connection: local, ansible_python_interpreter: /usr/bin/python3 } } }\n',
  );
  const names = `cnf_${operation}_confirm=one,two,three cnf_${operation}_names=one,two,three`;
  return ansible(folder, ['ansible-playbook', '-i', 'here.yml', '-e', names, ...more, playbook]);
}

const module = (failing: string): string => `from ansible.module_utils.basic import AnsibleModule


module = AnsibleModule({key: {} for key in ("name", "state", "content", "prune", "rollback")})
name = module.params["name"]
if name == ${JSON.stringify(failing)}:
    module.fail_json(msg=name + ": no such image")
module.exit_json(changed=True, told=[name + ": ready"])
`;

describe('several CNFs, of which one fails', () => {
  test.each([
    ['instantiate', 'Ready'],
    ['update', 'Updated'],
    ['terminate', 'Taken away'],
  ] as const)('cnf-%s goes on with the others, and says at the end how each ended', (operation, word) => {
    const { status, stdout } = run(operation, 'two');
    expect(status).toBe(2);
    expect(stdout).toContain('one: ready');
    expect(stdout).toContain('three: ready');
    const lines = stdout.split('\n').map((line) => line.trim());
    const first = lines.findIndex((line) => line.endsWith('two: no such image'));
    expect(lines.slice(first + 1, first + 3), stdout).toEqual([`${word}: one, three`, 'Failed: two']);
    expect(stdout).not.toContain('Not begun');
    expect(stdout).toMatch(/master01 +: ok=\d+ +changed=1 .*failed=1/);
  });

  test('of which none fails are no failure', () => {
    const { status, stdout } = run('instantiate', 'nobody');
    expect(status, stdout).toBe(0);
  });

  test('are named as not begun when the kubectl host does not respond', () => {
    const lost = [
      '-e',
      'ansible_connection=ssh ansible_host=127.0.0.1 ansible_port=1',
      '--start-at-task',
      'Apply each CNF as its tenant, and wait until it is ready',
    ];
    const { status, stdout } = run('instantiate', 'nobody', lost);
    expect(status).toBe(2);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('the kubectl host does not respond: one, two, three');
  });
});
