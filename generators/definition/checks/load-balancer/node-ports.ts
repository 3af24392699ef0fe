import {
  rangeText,
  readNodePorts,
  usualNodePorts,
  type PortRange,
} from '../../../catalog/kubernetes/node-ports.ts';
import { keyProblemAt, problemAt, warning, type Finding, type Path } from '../../../source/finding.ts';
import { hole, type Facts } from '../facts.ts';
import { repetitions } from '../node/repeated.ts';
import { controlPlaneListeners, haproxyListeners, workerListeners, type PortListener } from './listeners.ts';
import { wantedNodePorts, type WantedNodePort } from './wanted-node-ports.ts';

/** kube-proxy takes what reaches a node at the port of a Service, whoever else listens there. */
export function nodePorts(facts: Facts): readonly Finding[] {
  const written = writtenRange(facts.draft);
  const wanted = wantedNodePorts(facts);
  const listeners = onNodes(facts);
  const range = written?.range ?? usualNodePorts;
  return [
    ...(written && !written.range && written.text !== undefined ? [rangeFault(written)] : []),
    ...twice(wanted),
    ...(written && !written.range ? [] : outside(wanted, range, facts.draft.installer)),
    ...listeners.flatMap((listener) => clashesOf(listener, { wanted, range })),
    ...(written && !written.range ? [] : within(listeners, { wanted, range, at: written?.path })),
  ];
}

interface WrittenRange {
  /** undefined: it cannot be read. */
  readonly range: PortRange | undefined;
  readonly text?: string;
  /** Empty where nobody writes it. */
  readonly path: Path;
}

const argument = 'service-node-port-range';
const variable = 'kube_apiserver_node_port_range';

/** What the API servers of this definition are told; undefined: somebody else starts them. */
function writtenRange({ installer }: Facts['draft']): WrittenRange | undefined {
  const { kubeadm, kubespray } = installer ?? {};
  if (kubeadm) {
    const { extraArguments } = kubeadm;
    if (hole(kubeadm, 'extraArguments') || hole(extraArguments, 'apiServer'))
      return { range: undefined, path: [] };
    return readWritten(extraArguments?.apiServer, argument, [
      'installer',
      'kubeadm',
      'extraArguments',
      'apiServer',
    ]);
  }
  return kubespray && readWritten(kubespray.variables, variable, ['installer', 'kubespray', 'variables']);
}

function readWritten(
  given: Readonly<Record<string, unknown>> | undefined,
  key: string,
  above: Path,
): WrittenRange {
  if (!given || !Object.hasOwn(given, key)) return { range: usualNodePorts, path: [] };
  const text = given[key];
  if (typeof text !== 'string') return { range: undefined, path: [] };
  return { range: readNodePorts(text), text, path: [...above, key] };
}

const rangeFault = ({ path, text = '' }: WrittenRange): Finding =>
  problemAt(
    path,
    `${JSON.stringify(text)} is no range of ports, so no API server would start`,
    rangeText(usualNodePorts),
  );

/** Each once: what a worker has, a control plane has as well. */
function onNodes(facts: Facts): readonly PortListener[] {
  const all = [
    ...controlPlaneListeners(facts),
    ...(facts.placement?.kind === 'stacked' ? haproxyListeners(facts) : []),
    ...workerListeners(facts),
  ];
  return [...new Map(all.map((each) => [`${each.port} ${each.what} ${each.path.join()}`, each])).values()];
}

const titleOf = ({ field, title }: WantedNodePort): string => `\`${field}\` of the Service ${title}`;

const portFault = ({ path }: WantedNodePort, wrong: string, right: string): Finding =>
  path.at(-1) === 'nodePort' || path.at(-1) === 'healthCheckNodePort'
    ? problemAt(path, wrong, right)
    : keyProblemAt(path, wrong, right);

/** The same Service may be balanced at several ports. */
const twice = (wanted: readonly WantedNodePort[]): Finding[] =>
  repetitions(wanted, ({ port, protocol }) => `${port} ${protocol}`)
    .filter(([late, early]) => late.service !== early.service || late.field !== early.field)
    .map(([late, early]) =>
      portFault(
        late,
        `the ${late.field} ${late.port} is ${early.field === late.field ? 'that' : `the ${early.field}`} of the Service ${early.title} already`,
        'another port',
      ),
    );

function outside(
  wanted: readonly WantedNodePort[],
  range: PortRange,
  installer: Facts['draft']['installer'],
): Finding[] {
  const key = installer?.kubeadm
    ? `\`${argument}\` in \`extraArguments.apiServer\``
    : installer?.kubespray && `\`${variable}\` in \`variables\``;
  return wanted
    .filter(({ port }) => !isIn(port, range))
    .map((each) => ({
      ...portFault(
        each,
        `the API server takes no ${each.field} ${each.port}${each.path.includes(each.field) ? '' : ` of the Service ${each.title}`}${key ? '' : ', unless it was told another range'}`,
        `one of ${rangeText(range)}${key ? `, or ${key}` : ''}`,
      ),
      severity: key ? 'error' : 'warning',
    }));
}

const isIn = (port: number, { first, last }: PortRange): boolean => port >= first && port <= last;

interface RangeContext {
  readonly wanted: readonly WantedNodePort[];
  readonly range: PortRange;
}

function clashesOf({ port, what, path }: PortListener, { wanted, range }: RangeContext): Finding[] {
  const service = wanted.find((each) => each.port === port);
  if (!service) return [];
  const wrong = `port ${port} is used by ${what} and as ${titleOf(service)}: kube-proxy would take the traffic first`;
  return path.length === 0
    ? [portFault(service, wrong, `another port, one of ${rangeText(range)}`)]
    : [problemAt(path, wrong, `another port for ${what}, outside of ${rangeText(range)}`)];
}

/** What is taken already is told as that. Ports that nobody wrote are told at the range. */
function within(
  listeners: readonly PortListener[],
  { wanted, range, at = [] }: RangeContext & { readonly at: Path | undefined },
): Finding[] {
  const found = listeners.filter(
    ({ port }) => isIn(port, range) && !wanted.some((each) => each.port === port),
  );
  const fixed = new Set(found.filter(({ path }) => path.length === 0).map(({ port }) => port));
  return [
    ...(fixed.size === 0 ? [] : [ofNodes([...fixed], at)]),
    ...found.filter(({ path }) => path.length > 0).map((each) => anyService(each, range)),
  ];
}

const ofNodes = (ports: readonly number[], at: Path): Finding =>
  warning(
    at,
    `Kubernetes may give ports of the nodes themselves to any Service: ${ports.toSorted((a, b) => a - b).join(', ')}`,
    `a range without them, like ${rangeText(usualNodePorts)}`,
  );

const anyService = ({ port, what, path }: PortListener, range: PortRange): Finding =>
  warning(
    path,
    `port ${port} of ${what} is among those that Kubernetes may give to any Service (${rangeText(range)}), and kube-proxy would take its traffic first`,
    `a port outside of them${what === 'HAProxy' ? ', like 8443' : ''}`,
  );
