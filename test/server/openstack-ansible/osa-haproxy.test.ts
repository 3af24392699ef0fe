import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { osaTree, treeFolder } from '../../../generators/phases/openstack-ansible/tree/tree.ts';
import { definition, osaOf } from '../../generators/openstack-ansible/support.ts';
import { serverFolder } from '../../support/server/ansible-server.ts';

/**
 * OpenStack-Ansible's own role renders our service and HAProxy judges it: PLAYSMITH_OSA is a checkout of a release,
 * PLAYSMITH_OSA_HAPROXY one of its role haproxy_server, PLAYSMITH_HAPROXY a HAProxy where it is not in the path.
 */
const checkout = process.env['PLAYSMITH_OSA'] ?? '';
const role = process.env['PLAYSMITH_OSA_HAPROXY'] ?? '';
const haproxy = process.env['PLAYSMITH_HAPROXY'] ?? 'haproxy';
const isIntegrated = existsSync(join(checkout, 'inventory/env.d/k8s.yml'));
const release = isIntegrated ? '2026.1' : '2025.2';
const path = 'group_vars/k8s_all/haproxy_service.yml';

/** As the role does it, without its handlers: defaults are facts, since included variables would win over those of a play. */
const playbook = `- hosts: localhost
  connection: local
  gather_facts: false
  tasks:
    - ansible.builtin.include_vars: "{{ role }}/defaults/main.yml"
    - ansible.builtin.include_vars: "{{ role }}/vars/main.yml"
    - ansible.builtin.set_fact:
        haproxy_ssl: false
        haproxy_host: lab
        haproxy_service_configs: "{{ groups['k8s_all'] | map('extract', hostvars, 'k8s_haproxy_services') | flatten | unique }}"
    - ansible.builtin.template: { src: "{{ role }}/templates/haproxy.cfg.j2", dest: "{{ out }}/conf.d/00-haproxy" }
    - ansible.builtin.template: { src: "{{ role }}/templates/service.j2", dest: "{{ out }}/conf.d/{{ service.haproxy_service_name }}" }
      loop: "{{ haproxy_service_configs }}"
      loop_control: { loop_var: service }
    - ansible.builtin.assemble: { src: "{{ out }}/conf.d", dest: "{{ out }}/haproxy.cfg" }
`;

const inventory = (theirs: string): string => `all:
  vars: { internal_lb_vip_address: 172.29.236.9, external_lb_vip_address: 203.0.113.10 }
  hosts: { localhost: {} }
  children:
    k8s_all:
      hosts:
${[1, 2, 3].map((each) => `        infra${each}-k8s-container-0: { management_address: 172.29.236.2${each} }`).join('\n')}
      vars:${theirs}
`;

/** Variables of a file of the release, as those of a group are in an inventory: before those of our file. */
const shipped = (): string => {
  const file = join(checkout, 'inventory', path);
  const text = existsSync(file) ? readFileSync(file, 'utf8').replace(/^---$/m, '') : '';
  return text === '' ? ' {}' : `\n${text.replaceAll(/^/gm, '        ')}`;
};

describe.skipIf(role === '')(`the role haproxy_server of OpenStack-Ansible ${release}`, () => {
  let root: string;

  beforeAll(() => {
    root = serverFolder();
  });

  afterAll(() => {
    rmSync(root, { recursive: true, force: true });
  });

  /** The service that the role renders, and what HAProxy says to it. */
  function judged(change: (text: string) => string = (text) => text) {
    const tree = osaTree('cloud-a', osaOf(definition({ '"2025.2"': `"${release}"` })));
    const ours = tree.find((each) => each.path === `${treeFolder}/${path}`)?.text ?? '';
    const files = { [path]: change(ours), 'hosts.yml': inventory(shipped()), 'render.yml': playbook };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(root, dirname(name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    mkdirSync(join(root, 'conf.d'), { recursive: true });
    const extra = JSON.stringify({ role, out: root });
    const words = ['-i', 'hosts.yml', 'render.yml', '--extra-vars', extra];
    const rendered = spawnSync('ansible-playbook', words, { cwd: root, encoding: 'utf8' });
    expect(rendered.status, rendered.stdout + rendered.stderr).toBe(0);
    const whole = readFileSync(join(root, 'haproxy.cfg'), 'utf8');
    writeFileSync(
      join(root, 'c.cfg'),
      // This machine may have neither the user nor the folders of the service.
      whole.replaceAll(/^ *(?:user|group|chroot|stats socket) .*$/gm, ''),
    );
    const { status, stdout, stderr } = spawnSync(haproxy, ['-c', '-f', 'c.cfg'], {
      cwd: root,
      encoding: 'utf8',
    });
    return { service: readFileSync(join(root, 'conf.d/k8s'), 'utf8'), status, said: stdout + stderr };
  }

  test('renders our service: on the internal address alone, with our checks, and HAProxy takes it without a warning', () => {
    const { service, status, said } = judged();
    expect(status, said).toBe(0);
    expect(said).not.toMatch(/WARNING/);
    expect(service.match(/^ *bind .*/gm)?.map((line) => line.trim())).toEqual(['bind 172.29.236.9:6443']);
    expect(service).toContain('httpchk GET /healthz');
    // The role itself logs so in frontends, where it has an effect.
    expect(service.slice(service.indexOf('\nbackend '))).not.toMatch(/stick-table|tcplog|ssl-hello-chk/);
    const servers = service.match(/^ *server .*/gm) ?? [];
    expect(servers).toHaveLength(3);
    for (const each of servers) expect(each).toMatch(/ inter 15000 rise 2 fall 2.* check-ssl verify none/);
  });

  test('with another word for the check HAProxy refuses it, so the judgement above is one', () => {
    const { status, said } = judged((text) => text.replace('httpchk GET', 'httpchek GET'));
    expect(status).not.toBe(0);
    expect(said).toContain('httpchek');
  });

  test('with the keys of the examples it has none of that, so they are corrected', () => {
    const { service } = judged((text) =>
      text
        .replace('interval:', 'haproxy_interval:')
        .replace('backend_rise:', 'haproxy_backend_rise:')
        .replace(/ *haproxy_bind: .*\n/, ''),
    );
    expect(service).toContain('203.0.113.10:6443');
    expect(service).toContain(' inter 12000 rise 3 ');
  });
});
