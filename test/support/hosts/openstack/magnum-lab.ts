import { join } from 'node:path';
import { expect } from 'vitest';
import { exec } from '../../../../lab/index.ts';
import { hostAddress } from '../../../../lab/state/subnet.ts';
import { startMagnum, type Magnum } from '../../openstack/magnum.ts';
import { openStackClient, type OpenStackPackages } from '../../openstack/packages.ts';
import type { Sections } from '../../openstack/service.ts';
import type { Ended } from '../../project.ts';
import { must, until } from '../lab.ts';
import { bring } from '../receivers.ts';
import { osaLab, type OsaLab } from './osa-lab.ts';
import { qcow2 } from './qcow2.ts';

/** A deploy host of the lab that asks a real Magnum with the real client; all services run on this machine. */
export interface MagnumLab extends OsaLab {
  readonly magnum: Magnum;
  /** A run that has to go well. */
  readonly well: (...words: readonly string[]) => Promise<Ended>;
  /** A run that changes so many tasks, and one after it that changes none. */
  readonly settles: (changes: number, ...words: readonly string[]) => Promise<void>;
  /** A run that fails for a reason which it tells. */
  readonly refused: (words: readonly string[], reason: string) => Promise<void>;
  /** What Magnum's client shows of something. */
  readonly shown: (...words: readonly string[]) => Promise<Json>;
  /** Begins the upgrade of `demo`, and leaves it when control planes of Cluster API are wanted in another version: in which. */
  readonly upgrading: () => Promise<readonly string[]>;
  /** How many nodes the groups of `demo` have. */
  readonly groups: () => Promise<Json>;
}

type Json = Readonly<Record<string, unknown>>;

const client = '/opt/openstack-client';

/** What OpenStack-Ansible's own utility container has: the program, and who it is. */
const programs = {
  '/usr/local/bin/openstack': `#!/bin/sh\nPYTHONPATH=${client} exec python3 -m openstackclient.shell "$@"\n`,
  // The containers of the control plane are this host: Cluster API's clusterctl finds the management API from here.
  '/etc/ansible/hosts': '[k8s_all]\ninfra1-k8s-container ansible_connection=local\n',
};

/** `more` is what a deployment adds to magnum.conf; it may put files in the folder. */
export async function magnumLab(
  name: string,
  packages: OpenStackPackages,
  more?: (folder: string) => Sections,
): Promise<MagnumLab> {
  const osa = await osaLab(name, { release: '2026.1', files: programs });
  const { lab, sh } = osa;
  let magnum: Magnum | undefined;
  const close = async (): Promise<void> => {
    await magnum?.end();
    await osa.close();
  };
  try {
    const address = hostAddress(lab.state.subnet, 1);
    const installed = exec(
      lab,
      'cp1',
      ['apt-get', 'install', '--yes', '--quiet', '--no-install-recommends', 'ansible-core'],
      { timeout: 900 },
    );
    magnum = await startMagnum(packages, address, more);
    must(await installed);
    const copy = (from: string, to: string): Promise<void> => bring(lab, 'cp1', { from, to });
    await copy(openStackClient(), client);
    await copy(join(magnum.clusterApi.bin, 'clusterctl'), '/usr/local/bin/clusterctl');
    await sh('mkdir -p /etc/kubernetes /root/.config/openstack');
    await copy(magnum.kubernetes.kubeconfig, '/etc/kubernetes/admin.conf');
    await put(osa, '/root/.config/openstack/clouds.yaml', clouds(magnum.openstack.environment));
    for (const minor of [30, 31, 32]) await put(osa, `/srv/kube-${minor}.qcow2`, qcow2(minor));
    await sh('rm /usr/local/bin/ansible');
    return { ...osa, magnum, close, ...asking(osa, magnum) };
  } catch (error) {
    await close();
    throw error;
  }
}

function asking(
  osa: OsaLab,
  { openstack: { openstack }, kubernetes }: Magnum,
): Omit<MagnumLab, keyof OsaLab | 'magnum'> {
  const well = async (...words: readonly string[]): Promise<Ended> => {
    const ended = await osa.run(...words);
    expect(ended.status, ended.said).toBe(0);
    return ended;
  };
  return {
    well,
    settles: async (changes, ...words) => {
      const first = await well(...words);
      expect(osa.changed(first), first.stdout).toBe(changes);
      expect(osa.changed(await well(...words))).toBe(0);
    },
    refused: async (words, reason) => {
      const ended = await osa.run(...words);
      expect(ended.status, ended.said).toBe(20);
      expect(ended.stdout).toContain(reason);
    },
    upgrading: async () => {
      const [kind, path] = ['kubeadmcontrolplanes', '-o=jsonpath={.items[*].spec.version}'];
      const versions = (): Promise<string> => kubernetes.kubectl('get', kind, '--all-namespaces', path);
      const before = await versions();
      const words = ['--set', 'osa_workload_upgrade_name=demo', '--confirm', 'cloud-a'];
      const run = osa.run('osa-workload-upgrade', ...words);
      const begun = until('Cluster API is asked', async () => (await versions()) !== before, 900);
      const first = await Promise.race([begun, run]);
      if (first !== undefined) throw new Error(first.said);
      await osa.project.done('cancel');
      await run;
      return (await versions()).split(' ');
    },
    shown: async (...words) => JSON.parse(await openstack('coe', ...words, '-f', 'json')) as Json,
    groups: async () => {
      const rows = JSON.parse(await openstack('coe', 'nodegroup', 'list', 'demo', '-f', 'json')) as Json[];
      return Object.fromEntries(rows.map((row) => [String(row['name']), row['node_count']]));
    },
  };
}

async function put({ lab }: OsaLab, path: string, content: string | Buffer): Promise<void> {
  const input = Buffer.from(content).toString('base64');
  must(await exec(lab, 'cp1', ['sh', '-c', `base64 --decode > ${path}`], { input }));
}

/** The entry `default` of clouds.yaml, as OpenStack-Ansible writes it for root. */
const clouds = (environment: Readonly<Record<string, string>>): string => {
  const { OS_AUTH_URL, OS_REGION_NAME, OS_IDENTITY_API_VERSION, ...others } = environment;
  const auth = Object.entries({ OS_AUTH_URL, ...others }).map(([name, value]) => [
    name.replace('OS_', '').toLowerCase(),
    value,
  ]);
  return JSON.stringify({
    clouds: {
      default: {
        auth: Object.fromEntries(auth) as object,
        region_name: OS_REGION_NAME,
        identity_api_version: OS_IDENTITY_API_VERSION,
      },
    },
  });
};
