import { faults, type Lab } from '../../../lab/index.ts';
import { kubectl, longestWait, readiness, startWriter, stopWriter, writesSoFar } from './kubernetes.ts';
import { must, until } from './lab.ts';

export interface Loss {
  /** Writes that the API accepted while the control plane was away. */
  readonly accepted: number;
  /** Those of them that the control plane that came back does not know. */
  readonly missing: readonly string[];
  /** The longest time that the writer went without an accepted write, in seconds. */
  readonly longestWait: number;
}

interface Cluster {
  /** Text of a kubeconfig that leads to the virtual address. */
  readonly kubeconfig: string;
  /** What {@link readiness} says when all is well. */
  readonly allReady: string;
  /** A control plane that stays. */
  readonly witness: string;
}

/** Powers a control plane off while a client writes through the virtual address, and on again once the cluster missed it. */
export async function loseControlPlane(
  lab: Lab,
  victim: string,
  { kubeconfig, allReady, witness }: Cluster,
): Promise<Loss> {
  await startWriter(lab, kubeconfig, `lost-${victim}`);
  must(await faults.power.inject(lab, { host: victim }));
  await until(
    'writes go on',
    async () => (await writesSoFar(lab)) > 0 && (await readiness(lab, witness)).includes(`${victim}=Unknown`),
    120,
  );
  must(await faults.power.undo(lab, { host: victim }));
  await until('all are back', async () => (await readiness(lab, victim)) === allReady, 180);
  const writes = await stopWriter(lab);
  const kept = new Set((await kubectl(lab, victim, 'get', 'configmaps', '--output', 'name')).split('\n'));
  return {
    accepted: writes.length,
    missing: writes.map(({ name }) => name).filter((name) => !kept.has(`configmap/${name}`)),
    longestWait: longestWait(writes),
  };
}
