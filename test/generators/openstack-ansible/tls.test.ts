import { describe, expect, test } from 'vitest';
import { definition, osaOf, treeOf } from './support.ts';

type Tree = Readonly<Record<string, unknown>>;
const at = (path: string, text: string): Tree => treeOf(osaOf(text)).get(path) as Tree;
const pods = '  podSubnet: 172.29.200.0/22\n';
const integrated = definition({ '"2025.2"': '"2026.1"' });
const magnum = 'group_vars/magnum_all/main.yml';

describe('certificates', () => {
  const root = '/usr/local/share/ca-certificates/ExampleCorpRoot.crt';
  const options = (tls: string, text = definition()): Tree =>
    at(magnum, text.replace(pods, `${pods}tls: ${tls}\n`))['magnum_config_overrides'] as Tree;

  test.each<[tls: string, control: string | undefined, workload: string | undefined, type: string]>([
    ['{ external: osa-pki, internal: osa-pki }', root, root, 'internalURL'],
    ['{ external: osa-pki, endpoint: public }', root, root, 'publicURL'],
    ['{ external: public, internal: osa-pki }', root, undefined, 'internalURL'],
    ['{ external: public, endpoint: public }', undefined, undefined, 'publicURL'],
    ['{ external: { file: /a }, internal: { file: /b } }', '/b', '/a', 'internalURL'],
    ['{ external: { file: /a }, internal: { file: /b }, endpoint: public }', '/a', '/a', 'publicURL'],
    ['{ external: public, internal: http }', undefined, undefined, 'internalURL'],
  ])('%s', (tls, control, workload, type) => {
    const found = options(tls);
    expect(found['capi_client']).toEqual({ ...(control && { ca_file: control }), endpoint_type: type });
    expect((found['drivers'] as Tree | undefined)?.['openstack_ca_file']).toBe(workload);
  });

  test('what the role of 2026.1 would fill in is emptied', () => {
    expect(options('{ external: public, endpoint: public }', integrated)).toMatchObject({
      drivers: { openstack_ca_file: '' },
      capi_client: { ca_file: '', endpoint_type: 'publicURL' },
    });
  });

  test('options of the definition stand beside ours, without the one that the driver does not have', () => {
    const given = `{ configuration: { capi_client: { endpoint: internalURL, insecure: false }, auto_scaling: { image_repository: r.example.org } } }`;
    const text = definition({ [pods]: `${pods}magnum: ${given}\n` });
    expect(at(magnum, text)['magnum_config_overrides']).toMatchObject({
      capi_client: { endpoint_type: 'internalURL', insecure: false },
      auto_scaling: { image_repository: 'r.example.org' },
    });
    expect(JSON.stringify(at(magnum, text))).not.toContain('"endpoint"');
  });
});
