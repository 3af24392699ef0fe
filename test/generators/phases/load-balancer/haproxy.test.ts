import { expect, test } from 'vitest';
import { haproxy } from '../../../../generators/phases/load-balancer/haproxy.ts';
import { keepalived } from '../../../../generators/phases/load-balancer/keepalived.ts';
import { kubeadmCluster } from '../../../support/definitions/clusters.ts';
import { textOf } from '../../../support/definitions/phase-files.ts';

const plain = kubeadmCluster();
const withEtcd = kubeadmCluster({
  endpoint: { ...plain.endpoint, haproxy: { ...plain.endpoint.haproxy, etcdPort: 2381 } },
});
const configuration = 'files/haproxy/haproxy.cfg';

test('etcd is balanced at its own port, and its mutual TLS passes through', () => {
  const [, etcd = ''] = textOf(haproxy, withEtcd, configuration).split('frontend etcd');
  expect(etcd).toContain('bind 0.0.0.0:2381');
  expect(etcd).toContain('server cp1 10.0.0.11:2379');
  expect(etcd).not.toContain('ssl');
  expect(textOf(haproxy, plain, configuration)).not.toContain('etcd');
});

test('offline no list of apt is refreshed', () => {
  const offline = kubeadmCluster({ offline: { artifacts: '/srv/artifacts', sha256: '' } });
  for (const phase of [haproxy, keepalived]) {
    expect(textOf(phase, plain, `${phase.name}.yml`)).toContain('update_cache: true');
    expect(textOf(phase, offline, `${phase.name}.yml`)).not.toContain('update_cache');
  }
});
