import { notBalanced } from '../../manifests/service-ports.ts';
import { readServices } from '../../manifests/services.ts';
import { externalHostsOf } from '../../derived.ts';
import { fileText } from '../../files.ts';
import { problemAt, keyProblemAt, keyWarning, warning, type Finding } from '../../../source/finding.ts';
import { hasGap } from '../../gaps.ts';
import { hole, type Facts, type BalancerDraft } from '../facts.ts';
import { nfs, sshd, type PortListener } from './listeners.ts';

/** Services speak TCP, and each has a port of its own at the load balancer. */
export const balancedServices = (written: BalancerDraft, facts: Facts): Finding[] => {
  const manifests = fromManifests(written, facts);
  const areNamed = !hasGap(written, 'services.*.name', 'services.*.namespace');
  return [
    ...(written.services ?? []).flatMap((service, index) => (service ? ofService(service, index) : [])),
    ...manifests.flatMap(({ findings }) => findings),
    ...clashes([
      ...ownPorts(written, facts),
      ...namedPorts(written),
      ...(areNamed ? manifests.flatMap(({ listeners }) => listeners) : []),
    ]),
  ];
};

/** What has a port of the load balancer beside what CNFs publish. */
export const balancerListeners = (written: BalancerDraft, facts: Facts): readonly PortListener[] => [
  ...ownPorts(written, facts),
  ...namedPorts(written),
  ...manifestListeners(written, facts),
];

/** The ports that manifests alone bring. */
export const manifestListeners = (written: BalancerDraft, facts: Facts): readonly PortListener[] =>
  fromManifests(written, facts).flatMap(({ listeners }) => listeners);

type Service = NonNullable<NonNullable<BalancerDraft['services']>[number]>;

const at = (...keys: (string | number)[]): (string | number)[] => ['externalLoadBalancer', ...keys];

function ofService(service: Service, index: number): Finding[] {
  const { name = '', protocol = 'TCP' } = service;
  const path = at('services', index);
  const refused = notBalanced(name, protocol);
  const isLocal = service.externalTrafficPolicy === 'Local' || hole(service, 'externalTrafficPolicy');
  return [
    ...(protocol === 'TCP' ? [] : [problemAt([...path, 'protocol'], refused.wrong, refused.right)]),
    ...(service.healthCheckNodePort !== undefined && !isLocal
      ? [
          keyWarning(
            [...path, 'healthCheckNodePort'],
            'only a Service with `externalTrafficPolicy: Local` has such a port',
            'externalTrafficPolicy: Local beside it, or remove the key',
          ),
        ]
      : []),
    ...(service.servicePort !== undefined && service.nodePort !== undefined
      ? [
          keyWarning(
            [...path, 'servicePort'],
            'this has no effect: nothing is looked up when `nodePort` is given',
            'remove one of the two',
          ),
        ]
      : []),
  ];
}

function ownPorts({ api }: BalancerDraft, { draft, hosts }: Facts): PortListener[] {
  const names = new Set(externalHostsOf(draft));
  const machines = hosts.filter(({ name }) => names.has(name));
  return [
    ...nfs(machines, draft),
    ...sshd(machines, draft),
    ...(api?.port === undefined ? [] : [{ port: api.port, what: 'the API', path: at('api', 'port') }]),
  ];
}

const namedPorts = ({ services = [] }: BalancerDraft): PortListener[] =>
  services.flatMap((service, index) =>
    service?.port === undefined
      ? []
      : [{ port: service.port, what: service.name ?? 'a service', path: at('services', index, 'port') }],
  );

/** What each manifest brings. A Service that `services` names is told there. */
function fromManifests(
  written: BalancerDraft,
  { files }: Facts,
): { findings: Finding[]; listeners: PortListener[] }[] {
  const named = new Set(
    (written.services ?? []).map((service) => `${service?.namespace ?? 'default'}/${service?.name ?? ''}`),
  );
  return (written.manifests ?? []).map((path, index) => {
    const text = path === undefined ? undefined : fileText(files, path);
    if (path === undefined || !text?.ok) return { findings: [], listeners: [] };
    const { ports, problems } = readServices(text.value, path);
    const here = at('manifests', index);
    return {
      findings: [
        ...problems.map(({ place, wrong, right }) => keyProblemAt(here, `${place}: ${wrong}`, right)),
        ...(ports.length + problems.length === 0
          ? [warning(here, `${path} holds no Service of type NodePort or LoadBalancer`, 'remove the file')]
          : []),
      ],
      listeners: ports
        .filter(({ namespace, name }) => !named.has(`${namespace}/${name}`))
        .map(({ port, name }) => ({ port, what: `${name} of ${path}`, path: here })),
    };
  });
}

/** The later of two is the one to move. */
function clashes(listeners: readonly PortListener[]): Finding[] {
  const first = new Map<number, PortListener>();
  return listeners.flatMap((listener) => {
    const early = first.get(listener.port);
    if (!early) first.set(listener.port, listener);
    return early
      ? [
          problemAt(
            listener.path,
            `port ${listener.port} of the load balancer is used by both ${early.what} and ${listener.what}`,
            listener.path.includes('manifests')
              ? 'the Service in `services`, with another `port`'
              : `another port for ${listener.what}`,
          ),
        ]
      : [];
  });
}
