import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, exec, sshArgv, type Lab } from '../../../lab/index.ts';
import { quote } from '../../../tasks/runtime/command.ts';
import { packageRoot } from '../../../tasks/runtime/package.ts';
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
  const { hosts, passwords, name, user } = describe(lab);
  const pairs = (role: 'control-plane' | 'worker'): string =>
    hosts
      .filter((host) => host.roles.includes(role) && (nodes?.includes(host.name) ?? true))
      .map((host) => `${host.name}=${host.address}`)
      .join(' ');
  const { digest } = JSON.parse(readFileSync(join(bundle, 'manifest.json'), 'utf8')) as {
    readonly digest: string;
  };
  const script = readFileSync(join(packageRoot, 'test/support/hosts/plain-install.sh'), 'utf8');
  const write = (path: string): string[] => ['sh', '-c', `cat > ${path}`];
  must(await exec(lab, 'ansible', write('/tmp/plain-install.sh'), { input: script }));
  must(await exec(lab, 'ansible', write('/tmp/plain-network.yml'), { input: network }));
  const secret = `install --mode=0600 --owner=${user} /dev/stdin /tmp/plain-password`;
  must(await exec(lab, 'ansible', ['sh', '-c', secret], { input: `${passwords.become}\n` }));
  const words = ['bash', '/tmp/plain-install.sh', '/srv/artifacts', pairs('control-plane'), pairs('worker')];
  const manifest = network === '' ? [] : ['/tmp/plain-network.yml'];
  const line = [...words, ...manifest].map(quote).join(' ');
  return must(
    sshArgv(lab, 'ansible', [`cd playsmith/bundles/${name}/${digest} && ${line} < /tmp/plain-password`]),
  );
}
