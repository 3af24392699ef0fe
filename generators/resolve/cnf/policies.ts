import type { Settings } from '../../cluster/cluster.ts';
import type { Definition } from '../../definition/schema/schema.ts';

type PolicyDefinition = NonNullable<NonNullable<Definition['cnfs']>[number]['networkPolicy']>;
type Exception = NonNullable<PolicyDefinition['allow']>[number];

/** One NetworkPolicy that refuses to every pod of the namespace what `deny` says, but for the exceptions. */
export const policiesOf = (
  written: PolicyDefinition | undefined,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): readonly Settings[] =>
  written === undefined
    ? []
    : [
        {
          apiVersion: 'networking.k8s.io/v1',
          kind: 'NetworkPolicy',
          metadata: { name, namespace },
          spec: {
            podSelector: {},
            policyTypes: written.deny.map((direction) => (direction === 'ingress' ? 'Ingress' : 'Egress')),
            ...rules(written, 'ingress'),
            ...rules(written, 'egress'),
          },
        },
      ];

function rules({ allow = [] }: PolicyDefinition, direction: 'ingress' | 'egress'): Settings {
  const meant = allow.filter((each) => each.direction === direction);
  return meant.length === 0 ? {} : { [direction]: meant.map(rule) };
}

const rule = ({ direction, namespace, cidr, ports }: Exception): Settings => ({
  [direction === 'ingress' ? 'from' : 'to']: [
    namespace === undefined
      ? { ipBlock: { cidr: cidr ?? '' } }
      : { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } },
  ],
  ...(ports === undefined ? {} : { ports: ports.map(port) }),
});

function port(written: string): Settings {
  const [ports = '', protocol = 'TCP'] = written.split('/');
  const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(ports) ?? [];
  if (first === undefined) return { protocol, port: ports };
  return { protocol, port: Number(first), ...(last === undefined ? {} : { endPort: Number(last) }) };
}
