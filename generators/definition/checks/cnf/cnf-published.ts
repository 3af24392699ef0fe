import { publishedPort } from '../../cnf/published.ts';
import { problemAt, type Finding } from '../../../source/finding.ts';
import { nearest } from '../../../source/nearest.ts';
import { isRead, type CnfFact } from './cnf-fact.ts';
import { hole, type Facts } from '../facts.ts';
import { balancerListeners } from '../load-balancer/balanced-services.ts';
import { repetitions } from '../node/repeated.ts';

/** What a CNF publishes is a Service of it that is reached from outside, at a port that is free at the load balancer. */
export function cnfPublished(all: readonly CnfFact[], facts: Facts): readonly Finding[] {
  const written = all.flatMap((fact) =>
    (fact.written.publish ?? []).flatMap((each, index) =>
      each ? [{ ...each, fact, path: [...fact.path, 'publish', index] }] : [],
    ),
  );
  const balancer = facts.draft.externalLoadBalancer;
  return [
    ...((balancer === undefined && !hole(facts.draft, 'externalLoadBalancer')) ||
    balancer?.script !== undefined
      ? needsBalancer(written, balancer)
      : []),
    ...repetitions(written, ({ port }) => port?.toString()).map(([{ path, port = 0 }, first]) =>
      problemAt(
        [...path, 'port'],
        `port ${port} is already used by ${first.service ?? 'another Service'}`,
        'another port',
      ),
    ),
    ...atTakenPorts(written, facts),
    ...written.flatMap(withoutService),
  ];
}

/** One Service of `publish`, and where it is written. */
type Publication = NonNullable<NonNullable<CnfFact['written']['publish']>[number]> & {
  readonly fact: CnfFact;
  readonly path: CnfFact['path'];
};
type Balancer = Facts['draft']['externalLoadBalancer'];

const needsBalancer = (written: readonly Publication[], balancer: Balancer): readonly Finding[] =>
  written.map(({ path }) =>
    problemAt(
      path,
      balancer === undefined
        ? 'nothing outside the cluster publishes Services'
        : 'the script of `externalLoadBalancer` does everything there',
      'externalLoadBalancer: { hosts: [elb01] }, or remove the key',
    ),
  );

function atTakenPorts(written: readonly Publication[], facts: Facts): readonly Finding[] {
  const { externalLoadBalancer } = facts.draft;
  if (!externalLoadBalancer || written.length === 0) return [];
  const taken = new Map(
    balancerListeners(externalLoadBalancer, facts).map(({ port, what }) => [port, what] as const),
  );
  return written
    .filter(({ port }) => port !== undefined && taken.has(port))
    .map(({ path, port = 0 }) =>
      problemAt(
        [...path, 'port'],
        `port ${port} of the load balancer is taken by ${taken.get(port) ?? ''}`,
        'another port',
      ),
    );
}

function withoutService(publication: Publication): readonly Finding[] {
  const { fact, path, service, port, servicePort = port } = publication;
  if (service === undefined || servicePort === undefined || hole(publication, 'servicePort')) return [];
  if (!isRead(fact)) return [];
  if (publishedPort(fact.gathered.objects, service, servicePort) !== undefined) return [];
  const names = fact.gathered.objects
    .filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Service')
    .map(({ name }) => name);
  return [
    problemAt(
      [...path, 'service'],
      `no manifest of this CNF has a Service ${service} of type NodePort or LoadBalancer with the port ${servicePort}`,
      nearest(service, names) ?? (names.join(' or ') || 'a Service of the CNF'),
    ),
  ];
}
