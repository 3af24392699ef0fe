import { publishedPort } from '../../cnf/published.ts';
import { problemAt, type Finding } from '../../../source/finding.ts';
import { nearest } from '../../../source/nearest.ts';
import type { CnfFact } from './cnf-fact.ts';
import type { Facts } from '../facts.ts';
import { repetitions } from '../node/repeated.ts';

/** What a CNF publishes is a Service of it that is reached from outside, at a port that is free at the load balancer. */
export function cnfPublished(all: readonly CnfFact[], { draft }: Facts): readonly Finding[] {
  const written = all.flatMap((fact) =>
    (fact.written.publish ?? []).flatMap((each, index) =>
      each ? [{ ...each, fact, path: [...fact.path, 'publish', index] }] : [],
    ),
  );
  const balancer = draft.externalLoadBalancer;
  return [
    ...(balancer === undefined || balancer.script !== undefined ? needsBalancer(written, balancer) : []),
    ...repetitions(written, ({ port }) => port?.toString()).map(([{ path, port = 0 }, first]) =>
      problemAt(
        [...path, 'port'],
        `port ${port} is that of ${first.service ?? 'another Service'} already`,
        'another port',
      ),
    ),
    ...atTakenPorts(written, balancer),
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
      'externalLoadBalancer: { hosts: [elb01] }, or the key left out',
    ),
  );

function atTakenPorts(written: readonly Publication[], balancer: Balancer): readonly Finding[] {
  const taken = new Map(
    (balancer?.services ?? []).flatMap((each) =>
      each?.port === undefined ? [] : [[each.port, each.name ?? '']],
    ),
  );
  return written
    .filter(({ port }) => port !== undefined && (taken.has(port) || balancer?.api?.port === port))
    .map(({ path, port = 0 }) =>
      problemAt(
        [...path, 'port'],
        `port ${port} of the load balancer is taken by ${taken.get(port) ?? 'the API'}`,
        'another port',
      ),
    );
}

function withoutService({ fact, path, service, port, servicePort = port }: Publication): readonly Finding[] {
  if (service === undefined || servicePort === undefined || fact.gathered.missing.length > 0) return [];
  if (publishedPort(fact.gathered.objects, service, servicePort) !== undefined) return [];
  const names = fact.gathered.objects.filter(({ kind }) => kind === 'Service').map(({ name }) => name);
  return [
    problemAt(
      [...path, 'service'],
      `no manifest of this CNF has a Service ${service} of type NodePort or LoadBalancer with the port ${servicePort}`,
      nearest(service, names) ?? (names.join(' or ') || 'a Service of the CNF'),
    ),
  ];
}
