import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { down, type Lab } from '../../../lab/index.ts';
import { kubectl } from '../../support/hosts/kubernetes.ts';
import { definitionOf, must, raiseLab, until } from '../../support/hosts/lab.ts';
import { startControlPlane, type ControlPlane } from '../../support/openstack/control-plane.ts';
import { openStackPackages, typesOf } from '../../support/openstack/packages.ts';
import { barbican } from '../../support/openstack/services/barbican.ts';
import { tacker as tackerService } from '../../support/openstack/services/tacker.ts';
import { tackerOf, type Json, type Tacker, type TackerApi } from '../../support/openstack/tacker.ts';
import { project, type Project } from '../../support/project.ts';

const packages = openStackPackages('tacker');
const why = packages.ok ? '' : ` (not here: ${packages.failure})`;

const name = 'tacker';
const vnfd = '5c11ca7e-0000-4000-8000-000000000001';
const manifest = 'Files/kubernetes/echo.yaml';
const source = join(import.meta.dirname, '../../fixtures/tacker/echo');

describe.skipIf(!packages.ok)(`a cluster as a VIM of Tacker${why}`, () => {
  let lab: Lab;
  let here: Project;
  let openstack: ControlPlane;
  let tacker: Tacker;
  let vim: string;
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-tacker-'));
  const ends: (() => void | Promise<void>)[] = [];

  beforeAll(async () => {
    if (!packages.ok) return;
    ends.push(async () => {
      must(await down(name));
    });
    lab = await raiseLab(name, { kubernetes: true, controlPlanes: 1, workers: 1 });
    here = await project(`${definitionOf(lab).trimEnd()}\n\nextraPlaybooks: [tacker-vim]\n${cnf}`);
    ends.push(() => here.remove());
    execFileSync('cp', ['-r', join(source, 'Files'), here.folder]);
    await here.done('render');
    await here.done('run', '--json');
    for (const each of ['tenant-a', 'tenant-b']) await kubectl(lab, 'cp1', 'create', 'namespace', each);
    openstack = await startControlPlane({ packages: packages.value, services: [barbican, tackerService] });
    ends.push(openstack.end);
    tacker = tackerOf(openstack);
  }, 2_400_000);

  afterAll(async () => {
    rmSync(folder, { recursive: true });
    for (const end of ends.toReversed()) await end();
  });

  const pods = async (): Promise<readonly string[]> => {
    const shown = await kubectl(lab, 'cp1', '--namespace', 'tenant-a', 'get', 'pods', '--output=name');
    return shown.split('\n').flatMap((line) => (line === '' ? [] : [line.replace('pod/', '')]));
  };

  const done = async (api: TackerApi, instance: string, operation: string, request: object) => {
    const { state, record } = await tacker.operate(api, instance, operation, request);
    const said = JSON.stringify(record['error'] ?? {});
    expect(`${operation} ${state}`, said).toBe(`${operation} COMPLETED`);
    return record;
  };

  /** What the request to instantiate says of the VIM: a list in the first API, a mapping in the second. */
  const request = (api: TackerApi, namespace: string): Json => {
    const connection = { vimId: vim, vimType: 'kubernetes' };
    return {
      flavourId: 'simple',
      vimConnectionInfo: api === 'v1' ? [{ id: 'edge', ...connection }] : { edge: connection },
      additionalParams: { 'lcm-kubernetes-def-files': [manifest], namespace },
    };
  };

  /** The command that `import tacker` prints for what Tacker was sent or returned. */
  const translated = async (operation: Json, instance?: Json): Promise<string> => {
    const file = (each: string, what: Json): string => {
      writeFileSync(join(here.folder, each), JSON.stringify(what));
      return each;
    };
    const beside = instance ? [file('instance.json', instance)] : [];
    const ended = await here.done(
      ...['import', 'tacker', ...beside, '--operation', file('operation.json', operation)],
    );
    return ended.stdout;
  };

  test('is registered by the file of `export tacker-vim`, which only its owner reads', async () => {
    await here.done('export', 'tacker-vim', '--set', 'tacker_vim_namespaces=tenant-a');
    const file = join(here.folder, '.playsmith', name, 'tacker-vim.yaml');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await openstack.openstack('vim', 'register', '--config-file', file, name);
    const { vims } = (await tacker.get('/v1.0/vims.json')) as { readonly vims: readonly Json[] };
    expect(vims).toMatchObject([{ name, type: 'kubernetes', is_default: false, status: 'ACTIVE' }]);
    vim = String(vims[0]?.['id']);
  }, 300_000);

  test('of which none is the default one, instantiates nothing over version 1', async () => {
    if (!packages.ok) return;
    const csar = join(folder, 'echo.csar');
    execFileSync(join(packages.value.python, 'bin/python'), [
      join(import.meta.dirname, '../../support/openstack/csar.py'),
      ...[source, typesOf(packages.value), csar],
    ]);
    await tacker.onboard(csar);
    await expect(tacker.create('v1', vnfd, 'nowhere')).rejects.toThrow('Default VIM is not defined.');
    await openstack.openstack('vim', 'set', '--is-default', 'True', vim);
  }, 300_000);

  describe.each(['v1', 'v2'] as const)('over the API %s', (api) => {
    let id: string;

    test('a CNF is instantiated in its namespace', async () => {
      id = await tacker.create(api, vnfd, `echo-${api}`);
      const asked = request(api, 'tenant-a');
      const record = await done(api, id, 'instantiate', asked);
      expect(await pods()).toHaveLength(1);
      const instance = await tacker.instance(api, id);
      expect(await translated(asked)).toBe('npx task cnf-instantiate echo');
      expect(await translated(record)).toBe('npx task cnf-instantiate echo');
      expect(await translated(instance)).toBe(`npx task cnf-instantiate echo-${api}`);
    });

    test('is scaled out and in', async () => {
      const asked = (type: string): Json => ({ type, aspectId: 'echo', numberOfSteps: 1 });
      await done(api, id, 'scale', asked('SCALE_OUT'));
      await until('two pods', async () => (await pods()).length === 2);
      const record = await done(api, id, 'scale', asked('SCALE_IN'));
      await until('one pod', async () => (await pods()).length === 1);
      const instance = await tacker.instance(api, id);
      const command = 'npx task cnf-scale echo --aspect echo';
      expect(await translated(asked('SCALE_OUT'), instance)).toBe(`${command} --out 1`);
      expect(await translated(record, instance)).toBe(`${command} --in 1`);
    });

    test('is healed by one VNFC, and as a whole', async () => {
      const [pod = ''] = await pods();
      const instance = await tacker.instance(api, id);
      const asked = { cause: 'it does not answer', vnfcInstanceId: [vnfcOf(api, instance)] };
      const record = await done(api, id, 'heal', asked);
      for (const each of [asked, record])
        expect(await translated(each, instance)).toBe(`npx task cnf-heal echo --pod ${pod}`);
      await until('another pod', async () => (await pods()).every((each) => each !== pod));
      await done(api, id, 'heal', { cause: 'all' });
    });

    test('is terminated, and leaves nothing', async () => {
      const instance = await tacker.instance(api, id);
      const asked = { terminationType: 'GRACEFUL', gracefulTerminationTimeout: 1 };
      const record = await done(api, id, 'terminate', asked);
      for (const each of [asked, record])
        expect(await translated(each, instance)).toBe('npx task cnf-terminate echo --confirm echo');
      await until('nothing', async () => (await pods()).length === 0);
      await tacker.remove(api, id);
    });

    test('is refused a namespace that was not named for it', async () => {
      const other = await tacker.create(api, vnfd, `other-${api}`);
      const ended = await tacker.operate(api, other, 'instantiate', request(api, 'tenant-b'));
      expect(ended.state).toBe('FAILED_TEMP');
      const account = 'system:serviceaccount:kube-system:playsmith-tacker';
      expect(openstack.logOf('tacker-conductor')).toContain(`User \\"${account}\\" cannot create resource`);
      expect(await kubectl(lab, 'cp1', '--namespace', 'tenant-b', 'get', 'deployments,services')).toBe('');
    });
  });
});

const cnf = `cnfs:
  - name: echo
    namespace: tenant-a
    manifests: [${manifest}]
    scaling: [{ aspect: echo, kind: Deployment, name: echo, maximum: 3 }]
`;

interface VnfInfo {
  readonly vnfcResourceInfo: readonly { readonly id: string }[];
  readonly vnfcInfo?: readonly { readonly id: string }[];
}

/** What a request to heal names: the resource in the first API, the VNFC in the second. */
const vnfcOf = (api: TackerApi, instance: Json): string => {
  const info = instance['instantiatedVnfInfo'] as VnfInfo;
  return (api === 'v1' ? info.vnfcResourceInfo : (info.vnfcInfo ?? []))[0]?.id ?? '';
};
