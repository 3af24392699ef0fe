import { playbooks } from '../../generators/playbooks.ts';
import type { Failure } from '../runtime/failures.ts';
import { program } from '../runtime/program.ts';
import type { RenderedBundle } from '../steps/bundle/bundle.ts';
import { forgeVariables } from './forge.ts';

/** Judges the playbooks in the folder of a bundle by the strictest profile of ansible-lint, as it is installed here. */
export async function lint({
  cluster,
  folder,
}: Pick<RenderedBundle, 'cluster' | 'folder'>): Promise<Failure | undefined> {
  const argv = ['ansible-lint', '--nocolor', '-q', '--offline', '--strict', '--profile', 'production'];
  const files = playbooks(cluster).map(({ file }) => file);
  const linted = await program([...argv, '--project-dir', '.', ...files], {
    cwd: folder,
    timeout: 1800,
    env: Object.fromEntries(forgeVariables.map((name) => [name, undefined])),
  });
  if (linted.ok) return undefined;
  const { stdout, stderr, message, status } = linted.failure;
  if (status === null || status === 127)
    return {
      kind: 'lint',
      message,
      evidence: '',
      next: 'install ansible-lint on this machine, or leave --lint out',
    };
  return {
    kind: 'lint',
    message: 'ansible-lint does not accept the playbooks',
    evidence: `${stdout}${stderr}`.trim(),
    next: 'npx task render writes playbooks that pass; if these are as rendered, this is a bug of Playsmith',
  };
}
