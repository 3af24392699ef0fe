import fc from 'fast-check';
import { load } from 'js-yaml';
import { afterAll, describe, expect, test } from 'vitest';
import type { Cluster, Machine } from '../../generators/cluster/cluster.ts';
import { render } from '../../generators/render.ts';
import type { RenderedFile } from '../../generators/rendered-file.ts';
import { ansible } from '../support/server/ansible.ts';
import { arbitraryCluster, hostileText } from '../support/definitions/arbitrary-clusters.ts';
import { bundleFolder } from '../support/definitions/bundle-folder.ts';
import { cluster, endpoint, machine } from '../support/definitions/clusters.ts';
import { startPyYaml } from '../support/pyyaml.ts';
import { templates } from '../support/definitions/templates.ts';

const python = startPyYaml();
afterAll(() => python[Symbol.asyncDispose]());

const read = async (files: readonly RenderedFile[], path: string): Promise<unknown> =>
  python.load(files.find((file) => file.path === path)?.text ?? '');

/** What a machine's file must say. */
const variablesOf = ({ address, ssh }: Machine): Readonly<Record<string, unknown>> => ({
  ansible_host: ssh.host,
  ansible_port: ssh.port,
  ansible_user: ssh.user,
  ...(ssh.privateKey === '' ? {} : { ansible_ssh_private_key_file: ssh.privateKey }),
  ...(ssh.passwordVariable === '' ? {} : { ansible_password: `{{ ${ssh.passwordVariable} }}` }),
  ...(ssh.becomePasswordVariable === ''
    ? {}
    : { ansible_become_password: `{{ ${ssh.becomePasswordVariable} }}` }),
  // How a pinned machine is verified stands in group_vars.
  ...(ssh.hostKeys.length > 0 && ssh.proxyJump === ''
    ? {}
    : { ansible_ssh_common_args: expect.stringContaining('-o StrictHostKeyChecking=yes') as string }),
  ip: address,
  access_ip: address,
});

describe('what is rendered means the same to PyYAML', () => {
  test('as to a YAML 1.2 parser, in every file of any cluster', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryCluster, async (any) => {
        const files = render(any, templates).filter(({ path }) => path.endsWith('.yml'));
        for (const { text } of files) expect(await python.load(text)).toEqual(load(text));
      }),
      { numRuns: 150 },
    );
  });

  test('as to us, for every value of any cluster', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryCluster, async (any) => {
        const files = render(any, templates);
        for (const each of any.machines)
          expect(await read(files, `inventory/host_vars/${each.name}.yml`)).toEqual(variablesOf(each));
        const { proxy_environment: environment = {} } = (await read(
          files,
          'inventory/group_vars/all.yml',
        )) as {
          readonly proxy_environment?: Readonly<Record<string, string>>;
        };
        expect(environment['http_proxy'] ?? '').toBe(any.proxy.http);
        expect(environment['https_proxy'] ?? '').toBe(any.proxy.https);
        const { all } = (await read(files, 'inventory/hosts.yml')) as {
          readonly all: { readonly hosts: object };
        };
        expect(Object.keys(all.hosts).sort()).toEqual(any.machines.map(({ name }) => name).sort());
      }),
      { numRuns: 150 },
    );
  });
});

test('Ansible reads the very same values, hostile ones included', () => {
  const texts = fc.sample(hostileText, { numRuns: 400, seed: 1 });
  const machines = texts.map((text, index) =>
    machine(`host-${index}`, `10.${index >> 8}.${index & 255}.1`, {
      ssh: { ...machine('x', '10.0.0.1').ssh, user: text, host: text, privateKey: text },
    }),
  );
  const any: Cluster = cluster({ machines, endpoint: { ...endpoint([]), placement: 'none' } });
  const folder = bundleFolder(render(any, templates));
  const { status, stdout, stderr } = ansible(folder, ['ansible-inventory', '--list']);
  expect(status, stderr).toBe(0);
  const { _meta: meta } = JSON.parse(stdout) as {
    readonly _meta: { readonly hostvars: Record<string, object> };
  };
  for (const each of machines) expect(meta.hostvars[each.name]).toMatchObject(variablesOf(each));
});

test.each(['{{ 1 }}', '{% if x %}', '{# x #}', "{{ lookup('pipe', 'id') }}"])(
  'a value that Ansible would evaluate is refused at the second door too: %s',
  (text) => {
    const bad = machine('bad', '10.0.0.1', { ssh: { ...machine('x', '10.0.0.1').ssh, user: text } });
    expect(() => render(cluster({ machines: [bad] }), templates)).toThrow('Ansible would evaluate');
  },
);
