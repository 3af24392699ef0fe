/** What a manifest says of Services that are reached from outside, and what is wrong with it. */
export interface ManifestServices {
  readonly ports: readonly ServicePort[];
  readonly problems: readonly PortProblem[];
}

export interface PortProblem {
  /** Like `manifests/web.yaml:12:9`. */
  readonly place: string;
  readonly wrong: string;
  readonly right: string;
}

/** One port of a Service that is reached through a port of each node. */
export interface ServicePort {
  readonly namespace: string;
  readonly name: string;
  /** The port of the Service itself. */
  readonly port: number;
  /** 0: the cluster gives one. */
  readonly nodePort: number;
  readonly type: 'NodePort' | 'LoadBalancer';
  readonly externalTrafficPolicy: 'Cluster' | 'Local';
  /** 0: none is written. */
  readonly healthCheckNodePort: number;
}

type PlaceOfPath = (path: readonly (string | number)[]) => string;
type Fields = Readonly<Record<string, unknown>>;

/** Any object of a manifest: the ports of a Service that is reached from outside, or none. */
export function judgeService(object: unknown, place: PlaceOfPath): ManifestServices {
  const { apiVersion = 'v1', kind, metadata, spec } = fields(object);
  const { type, ports } = fields(spec);
  if (apiVersion !== 'v1' || kind !== 'Service' || (type !== 'NodePort' && type !== 'LoadBalancer'))
    return { ports: [], problems: [] };
  const named = nameProblem(fields(metadata), place);
  if (named) return { ports: [], problems: [named] };
  if (fields(spec)['allocateLoadBalancerNodePorts'] === false)
    return refusal(place(['spec', 'allocateLoadBalancerNodePorts']), noNodePorts);
  const listed = Array.isArray(ports) ? (ports as readonly unknown[]) : [];
  const judged = listed.map((port, index) =>
    portOf({ ...common(fields(metadata), fields(spec)), type }, fields(port), (key) =>
      place(['spec', 'ports', index, key]),
    ),
  );
  return {
    ports: judged.flatMap((each) => ('port' in each ? [each] : [])),
    problems: judged.flatMap((each) => ('place' in each ? [each] : [])),
  };
}

type PortFields = Omit<ServicePort, 'port' | 'nodePort'>;

const common = (metadata: Fields, spec: Fields): Omit<PortFields, 'type'> => ({
  namespace: typeof metadata['namespace'] === 'string' ? metadata['namespace'] : 'default',
  name: String(metadata['name']),
  externalTrafficPolicy: spec['externalTrafficPolicy'] === 'Local' ? 'Local' : 'Cluster',
  healthCheckNodePort: portNumber(spec['healthCheckNodePort']) ?? 0,
});

function portOf(
  known: PortFields,
  written: Fields,
  place: (key: string) => string,
): ServicePort | PortProblem {
  const { protocol = 'TCP' } = written;
  const port = portNumber(written['port']);
  const nodePort = written['nodePort'] === undefined ? 0 : portNumber(written['nodePort']);
  if (protocol !== 'TCP') return { place: place('protocol'), ...notBalanced(known.name, String(protocol)) };
  if (port === undefined)
    return {
      place: place('port'),
      wrong: `a port of the Service ${known.name} is no port`,
      right: 'port: 80',
    };
  if (nodePort === undefined)
    return {
      place: place('nodePort'),
      wrong: `a nodePort of the Service ${known.name} is no port`,
      right: 'nodePort: 30080, or none: the cluster gives one',
    };
  return { ...known, port, nodePort };
}

/** Why a port with another protocol than TCP is refused. */
export const notBalanced = (name: string, protocol: string): Omit<PortProblem, 'place'> => ({
  wrong: `${protocol.slice(0, 12)} of ${name} cannot be balanced: HAProxy takes connections, and only those of TCP`,
  right:
    'TCP; other protocols reach the nodes without this load balancer, and their services are left out here',
});

const noNodePorts: Omit<PortProblem, 'place'> = {
  wrong: 'without node ports there is nothing that a load balancer outside the cluster could reach',
  right: 'remove allocateLoadBalancerNodePorts',
};

const refusal = (place: string, problem: Omit<PortProblem, 'place'>): ManifestServices => ({
  ports: [],
  problems: [{ place, ...problem }],
});

function nameProblem({ name, namespace = 'default' }: Fields, place: PlaceOfPath): PortProblem | undefined {
  for (const [key, value] of Object.entries({ name, namespace }))
    if (typeof value !== 'string' || !label.test(value))
      return {
        place: place(['metadata', key]),
        wrong: `the ${key} of a Service is not a name that Kubernetes takes`,
        right: 'small letters, digits and hyphens, like web',
      };
  return undefined;
}

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const portNumber = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 65_535 ? value : undefined;

const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
