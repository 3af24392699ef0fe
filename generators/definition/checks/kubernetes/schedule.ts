import type { JobName } from '../../../cluster/schedule.ts';
import { problemAt, keyProblemAt, pathText, type Finding, type Path } from '../../../source/finding.ts';
import { secretKeys } from '../../../source/secret-keys.ts';
import { storageServersOf } from '../../derived.ts';
import type { Draft } from '../../schema/schema.ts';
import { hasGap } from '../../gaps.ts';
import type { Facts } from '../facts.ts';

/** Each job is there to run, stands once, and finds the secrets that it needs on the server. */
export const schedule = (facts: Facts): readonly Finding[] => {
  const { schedule: written } = facts.draft;
  if (written === undefined) return [];
  const names = (written.jobs ?? []).map((each) => each?.job);
  return [
    ...names.flatMap((name, index) => (name === undefined ? [] : ofJob(facts, { name, index, names }))),
    ...secrets(facts.draft),
  ];
};

function ofJob(
  facts: Facts,
  {
    name,
    index,
    names,
  }: { readonly name: JobName; readonly index: number; readonly names: readonly unknown[] },
): readonly Finding[] {
  const path = ['schedule', 'jobs', index, 'job'];
  const reason = whyNot(facts, name);
  return [
    ...(names.indexOf(name) < index
      ? [problemAt(path, `\`${name}\` stands twice`, 'once, with a list of times as its `onCalendar`')]
      : []),
    ...(reason === '' ? [] : [problemAt(path, `\`${name}\` cannot run: ${reason}`, 'remove the job')]),
  ];
}

/** Empty where it can, or where nobody knows. */
function whyNot({ draft, controlPlanes, balancers }: Facts, name: JobName): string {
  if (hasGap(draft, 'installer.kubeadm', 'installer.kubespray', 'drills', 'storage')) return '';
  const isKubeadm = draft.installer !== undefined && draft.installer.kubespray === undefined;
  if (name === 'drift') return '';
  if (name === 'verify') return draft.installer === undefined ? 'nobody here installs Kubernetes' : '';
  if (!name.startsWith('drill-')) return isKubeadm ? '' : 'only a cluster of kubeadm has it';
  if (draft.drills === undefined) return 'the definition has no `drills`; `drills: {}` is enough';
  if (name === 'drill-storage')
    return storageServersOf(draft).length === 0 ? 'there is no storage server' : '';
  if (!isKubeadm) return 'only a cluster of kubeadm has that drill';
  if (name === 'drill-vip' && balancers && balancers.length < 2) return 'there are no two load balancers';
  return name === 'drill-control-plane' && controlPlanes && controlPlanes.length < 3
    ? 'etcd survives the loss of a member from three on'
    : '';
}

/** A run at set times has no client that could fetch a secret. */
function secrets(draft: Draft): readonly Finding[] {
  if (draft.schedule?.secretsFolder !== undefined || hasGap(draft, 'schedule.secretsFolder')) return [];
  // What opens the way to the Ansible server itself is not needed on it.
  const found = secretsIn({ ...draft, ansibleServer: undefined }, []);
  return found.length === 0
    ? []
    : [
        keyProblemAt(
          ['schedule'],
          `no client fetches secrets for what runs at set times, and runs need ${found.slice(0, 3).map(pathText).join(', ')}${found.length > 3 ? ` and ${found.length - 3} more` : ''}`,
          'secretsFolder: /etc/playsmith/edge-a, a folder on the Ansible server that holds them',
        ),
      ];
}

/** No job restores anything. */
const askedByPerson = 'decryptWith';

function secretsIn(value: unknown, path: Path): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    key === askedByPerson
      ? []
      : secretKeys.has(key) && typeof each === 'object' && each !== null
        ? [[...path, key]]
        : secretsIn(each, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}
