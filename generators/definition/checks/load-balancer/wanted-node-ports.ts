import { chooseNamespace } from '../../cnf/namespace.ts';
import { defaults } from '../../defaults.ts';
import { fileText } from '../../files.ts';
import { fieldsOf } from '../../manifests/objects.ts';
import { readServices } from '../../manifests/services.ts';
import type { Path } from '../../../source/finding.ts';
import type { CnfFact } from '../cnf/cnf-fact.ts';
import type { Facts } from '../facts.ts';

/** A port of every node that a Service asks for by its number. */
export interface WantedNodePort {
  readonly port: number;
  readonly field: 'nodePort' | 'healthCheckNodePort';
  readonly protocol: string;
  /** Namespace and name. */
  readonly service: string;
  /** As people call it. */
  readonly title: string;
  readonly path: Path;
}

/** All that the definition and its manifests say of them. */
export const wantedNodePorts = (facts: Facts): readonly WantedNodePort[] => [
  ...ofServices(facts),
  ...ofManifests(facts),
  ...facts.cnfs.flatMap(ofCnf),
];

const at = ['externalLoadBalancer'];
const fields = ['nodePort', 'healthCheckNodePort'] as const;

const ofServices = ({ draft: { externalLoadBalancer } }: Facts): readonly WantedNodePort[] =>
  (externalLoadBalancer?.services ?? []).flatMap((each, index) =>
    fields.flatMap((field) =>
      each?.[field] === undefined
        ? []
        : {
            port: each[field],
            field,
            protocol: 'TCP',
            service: `${each.namespace ?? defaults.externalLoadBalancer.namespace}/${each.name ?? `#${index}`}`,
            title: each.name ?? `services[${index}]`,
            path: [...at, 'services', index, field],
          },
    ),
  );

const ofManifests = ({ draft: { externalLoadBalancer }, files }: Facts): readonly WantedNodePort[] =>
  (externalLoadBalancer?.manifests ?? []).flatMap((file, index) => {
    const text = file === undefined ? undefined : fileText(files, file);
    if (file === undefined || !text?.ok) return [];
    const found = readServices(text.value, file).ports.flatMap((each) =>
      fields.map((field) => ({
        port: each[field],
        field,
        protocol: 'TCP',
        service: `${each.namespace}/${each.name}`,
        title: `${each.name} of ${file}`,
        path: [...at, 'manifests', index],
      })),
    );
    // The port of the health check stands at each port of its Service.
    return [...new Map(found.map((each) => [JSON.stringify(each), each])).values()].filter(
      ({ port }) => port > 0,
    );
  });

function ofCnf({ path, written, gathered }: CnfFact): readonly WantedNodePort[] {
  const { namespace } = chooseNamespace(written.namespace, gathered.objects);
  return gathered.objects
    .filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Service')
    .flatMap(({ object, name, place, source }) => {
      const { ports, healthCheckNodePort } = fieldsOf(object['spec']);
      const common = {
        service: `${namespace}/${name}`,
        title: `${name} (${place})`,
        path: [...path, ...source.path],
      };
      const listed = Array.isArray(ports) ? ports.map(fieldsOf) : [];
      return [
        ...listed.flatMap(({ nodePort, protocol = 'TCP' }) =>
          isPort(nodePort)
            ? [{ ...common, port: nodePort, field: fields[0], protocol: String(protocol) }]
            : [],
        ),
        ...(isPort(healthCheckNodePort)
          ? [{ ...common, port: healthCheckNodePort, field: fields[1], protocol: 'TCP' }]
          : []),
      ];
    });
}

/** What is none is told elsewhere. */
const isPort = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0;
