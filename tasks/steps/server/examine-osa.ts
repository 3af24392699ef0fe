import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster, OpenStackAnsibleMagnum } from '../../../generators/cluster/cluster.ts';
import { releases } from '../../../generators/catalog/openstack-ansible/releases.ts';
import { ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';
import { agentFolder } from '../../runtime/package.ts';
import type { Server } from '../../runtime/server.ts';
import type { CheckResult } from './examine.ts';

/** What the deploy host says of itself by name; an empty text for what it did not say. */
export type DeployHostFacts = (name: string) => string;

/** Looks at OpenStack-Ansible on the deploy host, through the Ansible server; none for other definitions. */
export async function examineOsa(
  server: Server,
  cluster: Cluster,
): Promise<Result<readonly CheckResult[], Failure>> {
  const { osa } = cluster;
  if (osa === undefined) return ok([]);
  const facts = await askDeployHost(server, cluster);
  return facts.ok ? ok([osaFinding(osa, facts.value)]) : facts;
}

/** Asks the deploy host, through the Ansible server; where that cannot be done safely, the facts only say why. */
export async function askDeployHost(
  server: Server,
  { osa, machines: [host] }: Pick<Cluster, 'osa' | 'machines'>,
): Promise<Result<DeployHostFacts, Failure>> {
  if (host !== undefined && (host.ssh.proxyJump !== '' || host.ssh.hostKeys.length === 0)) {
    const refused =
      host.ssh.proxyJump === '' ? 'its host key is not in the definition' : 'it is behind a jump host';
    return ok((name) => (name === 'refused' ? refused : ''));
  }
  const script = readFileSync(join(agentFolder, 'examine-osa.sh'), 'utf8');
  const ssh = host?.ssh;
  const way = ssh
    ? [ssh.host, String(ssh.port), ssh.user, ssh.privateKey, ...ssh.hostKeys]
    : ['', '', '', ''];
  const told = await server.run({ argv: ['sh', '-s', '--', osa?.checkout ?? '', ...way] }, { stdin: script });
  if (!told.ok) return told;
  const facts = new Map(
    told.value.stdout.split('\n').map((line): [string, string] => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1)];
    }),
  );
  return ok((name) => facts.get(name) ?? '');
}

/** The described release whose major version that is; empty: none. */
export function releaseOf(version: string): string {
  const [major = ''] = version.split('.');
  return Object.entries(releases).find(([, { major: its }]) => String(its) === major)?.[0] ?? '';
}

const what = 'OpenStack-Ansible';

/** The judgement of what the deploy host said. */
export function osaFinding(osa: OpenStackAnsibleMagnum, fact: DeployHostFacts): CheckResult {
  if (fact('reached') !== 'yes') return unsure(fact('refused') || 'the deploy host said nothing');
  if (fact('checkout') === '')
    return unfit(
      `nothing at ${osa.checkout}`,
      'openStackAnsible.checkout, or install it: scripts/bootstrap-ansible.sh',
    );
  const version = fact('version');
  const found = releaseOf(version);
  const seen =
    version === ''
      ? 'a version that it does not tell'
      : `${version}${found === '' ? '' : `, release ${found}`}`;
  if (/^\d+(?:\.|$)/.test(version) && found !== osa.release)
    return unfit(
      seen,
      found === ''
        ? 'a release that is described: 2024.2 to 2026.1'
        : `npx task probe, or release: '${found}'`,
    );
  if (fact('layout') !== osa.layout)
    return unfit(
      `${seen}, with the files of another release`,
      `a checkout of release ${osa.release}, or its release in the definition`,
    );
  return version === ''
    ? { what, state: 'unsure', seen, remedy: `make sure that it is release ${osa.release}` }
    : { what, state: 'fit', seen, remedy: '' };
}

const unfit = (seen: string, remedy: string): CheckResult => ({ what, state: 'unfit', seen, remedy });

const unsure = (seen: string): CheckResult => ({
  what,
  state: 'unsure',
  seen,
  remedy: 'npx task run osa-place --check asks it by the way of every run',
});
