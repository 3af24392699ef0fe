import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster, OpenStackAnsibleMagnum } from '../../generators/cluster.ts';
import { releases } from '../../generators/osa/releases.ts';
import { ok, type Result } from '../../generators/result.ts';
import type { Failure } from '../runtime/failures.ts';
import type { Server } from '../runtime/server.ts';
import type { Finding } from './examine.ts';

/** Looks at OpenStack-Ansible on the deploy host, through the Ansible server; none for other definitions. */
export async function examineOsa(
  server: Server,
  { osa, machines: [host] }: Cluster,
): Promise<Result<readonly Finding[], Failure>> {
  if (osa === undefined) return ok([]);
  if (host !== undefined && (host.ssh.proxyJump !== '' || host.ssh.hostKeys.length === 0))
    return ok([
      unsure(
        host.ssh.proxyJump === '' ? 'its host key is not in the definition' : 'it is behind a jump host',
      ),
    ]);
  const script = readFileSync(join(import.meta.dirname, '..', 'runtime', 'server', 'examine-osa.sh'), 'utf8');
  const ssh = host?.ssh;
  const way = ssh
    ? [ssh.host, String(ssh.port), ssh.user, ssh.privateKey, ...ssh.hostKeys]
    : ['', '', '', ''];
  const told = await server.run({ argv: ['sh', '-s', '--', osa.checkout, ...way] }, { stdin: script });
  if (!told.ok) return told;
  const facts = new Map(
    told.value.stdout.split('\n').map((line): [string, string] => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1)];
    }),
  );
  return ok([osaFinding(osa, (name) => facts.get(name) ?? '')]);
}

const what = 'OpenStack-Ansible';

/** The judgement of what the deploy host said; `fact` gives an empty text for what it did not say. */
export function osaFinding(osa: OpenStackAnsibleMagnum, fact: (name: string) => string): Finding {
  if (fact('reached') !== 'yes') return unsure(fact('refused') || 'the deploy host said nothing');
  if (fact('checkout') === '')
    return unfit(
      `nothing at ${osa.checkout}`,
      'openStackAnsible.checkout, or install it: scripts/bootstrap-ansible.sh',
    );
  const version = fact('version');
  const [major = ''] = version.split('.');
  const found = Object.entries(releases).find(([, { major: its }]) => String(its) === major);
  const seen =
    version === '' ? 'a version that it does not tell' : `${version}${found ? `, release ${found[0]}` : ''}`;
  if (version !== '' && /^\d+$/.test(major) && found?.[0] !== osa.release)
    return unfit(
      seen,
      found ? `openStackAnsible.release: '${found[0]}'` : 'a release that is described: 2024.2 to 2026.1',
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

const unfit = (seen: string, remedy: string): Finding => ({ what, state: 'unfit', seen, remedy });

const unsure = (seen: string): Finding => ({
  what,
  state: 'unsure',
  seen,
  remedy: 'npx task run osa-place --check asks it by the way of every run',
});
