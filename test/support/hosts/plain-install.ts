import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, exec, sshArgv, type Lab } from '../../../lab/index.ts';
import { quote } from '../../../tasks/runtime/command.ts';
import { packageRoot } from '../../../tasks/runtime/package.ts';
import { there } from '../there.ts';
import { must } from './lab.ts';

export interface PlainInstallation {
  readonly lab: Lab;
  /** The folder of the rendered bundle, which was pushed before. */
  readonly bundle: string;
  /** Hosts that take part; all nodes where none is named. */
  readonly nodes?: readonly string[];
  /** The manifest of the pods' network; without one there are routes. */
  readonly network?: string;
}

/**
 * The line that makes a cluster by a plain script and kubeadm alone, as somebody would without Playsmith, over SSH from this
 * machine to the Ansible server. The files of the bundle are what it copies.
 */
export async function plainInstallation({
  lab,
  bundle,
  nodes,
  network = '',
}: PlainInstallation): Promise<readonly string[]> {
  const { digest } = JSON.parse(readFileSync(join(bundle, 'manifest.json'), 'utf8')) as {
    readonly digest: string;
  };
  const words = [pairs(lab, 'control-plane', nodes), pairs(lab, 'worker', nodes)];
  const manifest = network === '' ? [] : [networkPath];
  const folder = `playsmith/bundles/${describe(lab).name}/${digest}`;
  return scriptLine(lab, { script: 'plain-install.sh', words: [...words, ...manifest], network, folder });
}

/** The line that makes a cluster by what the guides of Kubernetes and containerd say, with nothing of a bundle. */
export async function guidedInstallation({
  lab,
  nodes,
  network = '',
}: Omit<PlainInstallation, 'bundle'>): Promise<readonly string[]> {
  const { user, artifacts } = describe(lab);
  const machines = [pairs(lab, 'control-plane', nodes), pairs(lab, 'worker', nodes)];
  const words = [there(artifacts).version, user, ...machines, networkPath];
  return scriptLine(lab, { script: 'kubeadm-guide.sh', words, network, folder: '/tmp' });
}

interface ServerScript {
  readonly script: string;
  readonly words: readonly string[];
  readonly network: string;
  /** Where it is typed on the Ansible server. */
  readonly folder: string;
}

const networkPath = '/tmp/plain-network.yml';

/** Brings a script and what it reads to the Ansible server; gives the line that runs it there. */
async function scriptLine(
  lab: Lab,
  { script, words, network, folder }: ServerScript,
): Promise<readonly string[]> {
  const { passwords, user } = describe(lab);
  const text = readFileSync(join(packageRoot, 'test/support/hosts', script), 'utf8');
  const write = (path: string): string[] => ['sh', '-c', `cat > ${path}`];
  must(await exec(lab, 'ansible', write(`/tmp/${script}`), { input: text }));
  must(await exec(lab, 'ansible', write(networkPath), { input: network }));
  const secret = `install --mode=0600 --owner=${user} /dev/stdin /tmp/plain-password`;
  must(await exec(lab, 'ansible', ['sh', '-c', secret], { input: `${passwords.become}\n` }));
  const line = ['bash', `/tmp/${script}`, '/srv/artifacts', ...words].map(quote).join(' ');
  return must(sshArgv(lab, 'ansible', [`cd ${folder} && ${line} < /tmp/plain-password`]));
}

/** Hosts of a role as the scripts want them: `cp1=10.77.0.11 …`. */
const pairs = (lab: Lab, role: 'control-plane' | 'worker', nodes?: readonly string[]): string =>
  describe(lab)
    .hosts.filter((host) => host.roles.includes(role) && (nodes?.includes(host.name) ?? true))
    .map((host) => `${host.name}=${host.address}`)
    .join(' ');
