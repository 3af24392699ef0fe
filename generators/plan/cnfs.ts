import type { Cluster } from '../cluster/cluster.ts';
import { revertMark, type AppliedState, type AppliedCnf } from './applied.ts';
import type { Snapshot, WantedCnf } from './snapshot.ts';
import { step, type Step } from './step.ts';

/** What leads from the CNFs that are there to those that are wanted: first what goes, then what comes and what changes. */
export function cnfSteps(
  { cnfs: there = {} }: AppliedState,
  { cnfs: wanted = {}, cluster }: Snapshot,
): readonly Step[] {
  if (!cluster.cnfs.kept) return [];
  const gone = Object.keys(there).filter((name) => wanted[name] === undefined);
  const pairs = Object.entries(wanted).map(([name, cnf]) => ({ name, cnf, old: there[name] }));
  const moved = pairs.filter((pair) => whyMoved(pair) !== '');
  const fresh = pairs.filter(({ old }) => old?.isUp !== true);
  const changed = pairs.filter(
    (pair) => pair.old?.isUp === true && !moved.includes(pair) && pair.old.digest !== pair.cnf.digest,
  );
  const steps = [
    ...gone.map((name) => terminating(name, [`${name} is no longer in the definition`])),
    ...moved.map((pair) => terminating(pair.name, [whyMoved(pair)])),
    ...instantiating([...moved, ...fresh.filter((each) => !moved.includes(each))]),
    ...changed.map(updating),
  ];
  return [...steps, ...publishing(steps, cluster, wanted)];
}

interface CnfPair {
  readonly name: string;
  readonly cnf: WantedCnf;
  readonly old: AppliedCnf | undefined;
}

/** Why what runs cannot become what is wanted, so that it ends and begins again; empty: it can. */
function whyMoved({ name, cnf, old }: CnfPair): string {
  if (old === undefined) return '';
  if (old.namespace !== cnf.namespace)
    return `${name}: the namespace ${old.namespace} becomes ${cnf.namespace}, and a CNF is not moved: it ends in the one and begins in the other`;
  const { serviceAccount: tenant = cnf.serviceAccount } = old;
  return old.isUp && tenant !== cnf.serviceAccount
    ? `${name}: the tenant ${tenant ?? ''} becomes ${cnf.serviceAccount ?? ''}, and no update gives a CNF to another: it ends under the one and begins under the other`
    : '';
}

const terminating = (name: string, reasons: readonly string[]): Step =>
  step('cnf-terminate', reasons, { targets: [name], danger: 'remove', confirm: name });

const instantiating = (pairs: readonly CnfPair[]): readonly Step[] =>
  pairs.length === 0
    ? []
    : [
        step(
          'cnf-instantiate',
          pairs.flatMap(({ name, cnf, old }) => [
            old?.isUp === false && old.namespace === cnf.namespace
              ? `${name} was begun in ${cnf.namespace} and never ready`
              : `${name} is wanted in ${cnf.namespace} and not there`,
            ...overrides(name, cnf),
          ]),
          { targets: pairs.map(({ name }) => name) },
        ),
      ];

/** What would be deleted is named, and confirmed by the name of the CNF. */
function updating({ name, cnf, old }: CnfPair): Step {
  const goes = (old?.objects ?? []).filter((each) => !cnf.objects.includes(each));
  const comes = cnf.objects.filter((each) => !(old?.objects ?? []).includes(each));
  const unknown: Readonly<Record<string, string>> = {
    '': 'a change of it did not end',
    [revertMark]: 'etcd was restored, or that was begun: a snapshot may lack what was applied for it',
  };
  const why = `${name}: ${unknown[old?.digest ?? ''] ?? 'what is applied for it has changed'}`;
  return step(
    'cnf-update',
    [
      why,
      ...comes.map((each) => `${name}: ${each} is new`),
      ...goes.map((each) => `${name}: ${each} is no longer in it, and is deleted`),
      ...overrides(name, cnf),
    ],
    { targets: [name], ...(goes.length > 0 ? { danger: 'remove', confirm: name } : {}) },
  );
}

const overrides = (name: string, { moved, namespace }: WantedCnf): readonly string[] =>
  moved.map((each) => `${name}: ${each}, and goes to ${namespace}`);

/** Node ports that the cluster gives are known to load balancers only afterwards. */
function publishing(
  steps: readonly Step[],
  { externalLoadBalancer: { services, balancers } }: Snapshot['cluster'],
  wanted: NonNullable<Snapshot['cnfs']>,
): readonly Step[] {
  const namespaces = steps
    .filter(({ operation }) => operation !== 'cnf-terminate')
    .flatMap(({ targets }) => targets.map((name) => wanted[name]?.namespace));
  const asked = services.filter(({ lookUp, namespace }) => lookUp && namespaces.includes(namespace));
  return asked.length === 0 || balancers.length === 0
    ? []
    : [
        step('external-load-balancer', [
          `the cluster gives node ports to ${asked.map(({ namespace, name }) => `${namespace}/${name}`).join(', ')}`,
        ]),
      ];
}

/** Changes for which nothing is applied: they hold from the next operation on. */
export function cnfNotes({
  applied: { cnfs: there = {}, whole },
  wanted: { cnfs: wanted = {}, cluster },
}: {
  readonly applied: AppliedState;
  readonly wanted: Snapshot;
}): readonly string[] {
  // What an older Playsmith applied knew of none.
  const { kept = false } = (whole?.cluster as Partial<Cluster> | undefined)?.cnfs ?? {};
  const changed = Object.entries(wanted).filter(
    ([name, cnf]) => there[name]?.digest === cnf.digest && there[name].settings !== cnf.settings,
  );
  return [
    ...changed.map(
      ([name]) => `${name}: its scaling and its readiness settings apply from its next operation on`,
    ),
    ...(kept === cluster.cnfs.kept
      ? []
      : [`cnfs: the playbooks about CNFs ${kept ? 'are gone' : 'are there'}`]),
  ];
}

/** Without the key there is no playbook that could take the last CNFs away. */
export function forgottenCnfs({ cnfs: there = {} }: AppliedState, { cluster }: Snapshot): readonly string[] {
  const names = Object.keys(there);
  return cluster.cnfs.kept || names.length === 0
    ? []
    : [
        `the CNFs ${names.join(', ')} are there, and the definition has no \`cnfs\`: write \`cnfs: []\`, so that there are playbooks to take them away`,
      ];
}
