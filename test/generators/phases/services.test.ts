import { expect, test } from 'vitest';
import type { BalancedService } from '../../../generators/cluster/cluster.ts';
import { externalLoadBalancer as phase } from '../../../generators/phases/load-balancer/external-load-balancer.ts';
import { externalLoadBalancer, kubeadmCluster } from '../../support/definitions/clusters.ts';
import { scriptOf, textOf } from '../../support/definitions/phase-files.ts';

const service = (name: string, overrides: Partial<BalancedService> = {}): BalancedService => ({
  namespace: 'default',
  name,
  servicePort: 80,
  port: 80,
  nodePort: 0,
  backends: 'workers',
  externalTrafficPolicy: 'Cluster',
  healthCheckNodePort: 0,
  lookUp: true,
  ...overrides,
});

/** What the program finds in a cluster that has these Services, or what kubectl does instead. */
function lookedUp(
  wanted: readonly BalancedService[],
  kubectl: string,
): { readonly status: number | null; readonly lines: readonly string[] } {
  const cluster = kubeadmCluster({ externalLoadBalancer: externalLoadBalancer({ services: wanted }) });
  const text = textOf(phase, cluster, 'files/external-load-balancer/services.py');
  return scriptOf(`#!/usr/bin/env python3\n${text}`, { kubectl })();
}

const having = (...items: readonly object[]): string => `cat <<'EOF'\n${JSON.stringify({ items })}\nEOF`;

const item = (name: string, spec: object): object => ({ metadata: { name }, spec });
const found = ({ lines }: ReturnType<typeof lookedUp>): unknown => JSON.parse(lines.join(''));

test('ports are found by name and port, with the health check that the policy asks for', () => {
  const ended = lookedUp(
    [service('web'), service('local'), service('half', { nodePort: 30099, externalTrafficPolicy: 'Local' })],
    having(
      item('web', {
        ports: [
          { port: 81, nodePort: 1 },
          { port: 80, nodePort: 30080 },
        ],
      }),
      item('local', {
        externalTrafficPolicy: 'Local',
        healthCheckNodePort: 31000,
        ports: [{ port: 80, nodePort: 30081, protocol: 'TCP' }],
      }),
      item('half', { externalTrafficPolicy: 'Local', ports: [{ port: 80, nodePort: 30082 }] }),
    ),
  );
  expect(found(ended)).toMatchObject({
    found: [
      { nodePort: 30080, checkPort: 10256 },
      { nodePort: 30081, checkPort: 31000 },
      // Nothing tells whether a node has a pod of it, so the node port itself is tried.
      { nodePort: 30099, checkPort: 0 },
    ],
  });
});

test('what is not there, or has no node port for TCP, is left out and told', () => {
  const ended = lookedUp(
    [service('gone'), service('inside'), service('other', { servicePort: 8080 }), service('dns')],
    having(
      item('inside', { type: 'ClusterIP', ports: [{ port: 80 }] }),
      item('other', { ports: [{ port: 80, nodePort: 30080 }] }),
      item('dns', { type: 'NodePort', ports: [{ port: 80, nodePort: 30053, protocol: 'UDP' }] }),
    ),
  );
  const none = { nodePort: 0, checkPort: 0 };
  expect(found(ended)).toEqual({
    found: [none, none, none, none],
    told: [
      'default/gone, port 80: is not there yet, so it is left out',
      'default/inside, port 80: has no node port for TCP: its type is ClusterIP, so it is left out',
      'default/other, port 8080: has no port 8080, so it is left out',
      'default/dns, port 80: has no node port for TCP: its type is NodePort, so it is left out',
    ],
  });
});

test('a cluster that does not answer is a failure in one line', () => {
  const ended = lookedUp([service('web')], 'echo; echo "connection refused" >&2; exit 1');
  expect(ended).toEqual({
    status: 1,
    lines: ['the Services of the cluster cannot be read: connection refused'],
  });
});
