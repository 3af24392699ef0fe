import { dirname } from 'node:path';
import { describe, down, exec, type Lab } from '../../../../lab/index.ts';
import { must, on, raiseLab } from '../lab.ts';
import { openstackStandIn } from '../../server/openstack-stand-in.ts';
import { standIn } from '../../server/osa-stand-in.ts';
import { project, recapOf, type Ended, type Project } from '../../project.ts';

/** A lab whose `cp1` is a deploy host with stand-ins, reached from the lab's Ansible server. */
export interface OsaLab {
  readonly lab: Lab;
  readonly project: Project;
  /** Writes a definition with these hosts of the control plane, and more keys; renders it. */
  readonly define: (carriers: string, more?: string) => Promise<void>;
  readonly run: (...words: readonly string[]) => Promise<Ended>;
  /** On the deploy host, as root. */
  readonly sh: (command: string) => Promise<string>;
  readonly changed: (ended: Ended) => number;
  readonly close: () => Promise<void>;
}

export async function osaLab(
  name: string,
  { release = '2025.2', files = cloud }: Partial<OsaLabOptions> = {},
): Promise<OsaLab> {
  const lab = await raiseLab(name, { controlPlanes: 1, client: false, standInApi: false });
  const sh = (command: string): Promise<string> => on(lab, 'cp1', 'sh', '-c', command);
  await putFiles(lab, 'cp1', { ...standIn, ...files });
  await sh('ln -s openstack-ansible /usr/local/bin/ansible');
  const here = await project('');
  return {
    lab,
    project: here,
    sh,
    define: async (carriers, more = '') => {
      await here.define(definition(lab, release, `controlPlane: { hosts: [${carriers}] }\n${more}`));
      await here.done('render');
    },
    run: (...words) => here.task('run', ...words, '--json'),
    changed: (ended) => recapOf(ended).recap['deploy01']?.changed ?? -1,
    close: async () => {
      await here.remove();
      must(await down(name));
    },
  };
}

export interface OsaLabOptions {
  /** Of OpenStack-Ansible. */
  readonly release: string;
  /** What the deploy host has besides OpenStack-Ansible: a cloud that is asked by `openstack`, and images. */
  readonly files: Readonly<Record<string, string>>;
}

/** Files on a host, by their paths, each a program. */
export async function putFiles(
  lab: Lab,
  host: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [path, text] of Object.entries(files))
    must(
      await exec(lab, host, ['sh', '-c', `mkdir -p ${dirname(path)}; cat > ${path}; chmod 755 ${path}`], {
        input: text,
      }),
    );
}

/** What Magnum and Glance are asked by; it keeps what it has in /root/cloud. */
const cloud = {
  '/usr/local/bin/openstack': openstackStandIn('/root/cloud'),
  '/root/cloud/.keep': '',
  '/srv/kube-30.qcow2': 'QFI 30',
  '/srv/kube-31.qcow2': 'QFI 31',
};

export function definition(lab: Lab, release: string, more: string): string {
  const { hosts: machines, user, keyPath, serverKeyPath, passwordPath } = describe(lab);
  const [server, deploy] = ['ansible', 'cp1'].map((each) => machines.find((host) => host.name === each));
  return `apiVersion: playsmith/v1
kind: OpenStackAnsibleMagnum
metadata: { name: cloud-a }
ansibleServer: { host: ${server?.address ?? ''}, user: ${user}, auth: { privateKey: ${keyPath} }, hostKey: ${server?.hostKey ?? ''} }
deployHost:
  name: deploy01
  address: ${deploy?.address ?? ''}
  ssh:
    user: ${user}
    privateKey: ${serverKeyPath}
    becomePassword: { file: ${passwordPath} }
    hostKey: ${deploy?.hostKey ?? ''}
openStackAnsible: { release: "${release}", internalAddress: 172.29.236.9 }
${more}`;
}
