import { expect, test } from 'vitest';
import { load } from '../../../generators/load.ts';
import { topologyChart } from '../../../generators/topology/mermaid.ts';
import { clusterTopology } from '../../../generators/topology/topology.ts';
import { clusterOf } from '../../support/definitions/reports.ts';

test('a topology is a box a role, named hosts where they are few, and an arrow a pair', () => {
  const loaded = load(clusterOf(20), 'cluster.yml');
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.failure));
  const chart = topologyChart(clusterTopology(loaded.value.cluster));
  expect(chart[0]).toBe('flowchart LR');
  expect(chart).toContain(
    '  box_control_plane["Control plane (3)<br>master1, master2, master3<br>master1 holds the address while all are well"]',
  );
  expect(chart).toContain('  box_worker["Workers (17)<br>worker0001, worker0002, … worker0017"]');
  expect(chart).toContain('  box_clients -->|"8443/tcp"| box_endpoint');
  expect(chart.filter((line) => line.includes('box_ansible_server'))).toHaveLength(1);
});
