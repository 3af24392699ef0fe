import { problemAt, keyProblemAt, keyWarning, type Finding } from '../../../source/finding.ts';
import { cnfAspects } from './cnf-aspects.ts';
import { cnfClashes } from './cnf-clashes.ts';
import { isReserved, type CnfFact } from './cnf-fact.ts';
import { cnfLimits } from './cnf-limits.ts';
import { cnfObjects } from './cnf-objects.ts';
import { cnfPublished } from './cnf-published.ts';
import { hasGap } from '../../gaps.ts';
import { hole, type Facts } from '../facts.ts';
import { repetitions } from '../node/repeated.ts';

/** Each CNF is one thing in one namespace, made of objects that this Kubernetes knows. */
export function cnfs(facts: Facts): readonly Finding[] {
  const { draft, cnfs: all } = facts;
  return [
    ...(draft.cnfs && isOthers(draft) ? [notOurs] : []),
    ...repetitions(all, ({ written }) => written.name).map(([{ path, written }]) =>
      problemAt(
        [...path, 'name'],
        `there is already a CNF ${written.name ?? ''}`,
        'a name that no other has',
      ),
    ),
    ...all.flatMap((each) => ofCnf(each, facts)),
    ...cnfClashes(all),
    ...cnfPublished(all, facts),
  ];
}

const isOthers = (draft: Facts['draft']): boolean =>
  draft.installer?.kubeadm === undefined &&
  draft.installer?.kubespray === undefined &&
  !hasGap(draft, 'installer.kubeadm', 'installer.kubespray');

const notOurs = keyProblemAt(
  ['cnfs'],
  'CNFs are applied from a control plane, and this definition does not install Kubernetes',
  'installer: { kubeadm: … } or installer: { kubespray: … }, or remove the key',
);

const ofCnf = (fact: CnfFact, facts: Facts): readonly Finding[] => [
  ...sources(fact),
  ...reservedNamespace(fact),
  ...cnfObjects(fact),
  ...cnfAspects(fact),
  ...cnfLimits(fact),
  ...tenants(fact),
  ...policies(fact, facts),
];

function sources({ path, written, gathered }: CnfFact): Finding[] {
  const isUnread = hole(written, 'manifests') || hole(written, 'helm');
  return [
    ...(written.manifests === undefined && written.helm === undefined && !isUnread
      ? [problemAt(path, 'this CNF has nothing to apply', 'manifests: [manifests/web.yaml], or helm')]
      : []),
    ...gathered.missing.map(({ source, why }) =>
      problemAt(
        [...path, ...source.path],
        why,
        source.kind === 'chart' ? aboutCharts : 'a file that is there',
      ),
    ),
    ...gathered.problems.map(({ source, place, wrong, right }) =>
      keyProblemAt([...path, ...source.path], `${place}: ${wrong}`, right),
    ),
  ];
}

const aboutCharts =
  'helm where `npx task render` runs, and a chart that it can render; or manifests made by `helm template` in place of the chart';

/** Kubernetes' own namespaces, and that of the records. */
const reservedNamespace = ({ path, written: { namespace } }: CnfFact): Finding[] =>
  namespace !== undefined && isReserved(namespace)
    ? [
        problemAt(
          [...path, 'namespace'],
          `${namespace} is no namespace for workloads of tenants`,
          'one of its own, like tenant-a',
        ),
      ]
    : [];

function tenants({ path, written: { tenant } }: CnfFact): Finding[] {
  return tenant?.clusterRole !== undefined && tenant.rules !== undefined
    ? [
        problemAt(
          [...path, 'tenant', 'rules'],
          'a tenant is an administrator of its namespace by `clusterRole`, or an ordinary user by `rules`',
          'one of the two',
        ),
      ]
    : [];
}

/** A policy that nobody enforces looks like a wall and is none. */
function policies({ path, written: { networkPolicy } }: CnfFact, { draft }: Facts): Finding[] {
  if (networkPolicy === undefined) return [];
  const written = draft.network?.plugin;
  const plugin = typeof written === 'object' && written.flannel ? 'flannel' : written;
  const at = [...path, 'networkPolicy'];
  return [
    ...(plugin === 'static-routes' || plugin === 'flannel'
      ? [keyWarning(at, `the pod network ${plugin} enforces no NetworkPolicy`, 'calico or cilium')]
      : []),
  ];
}
