import { expect, test } from 'vitest';
import { meaningOf } from '../../../generators/plan/rules.ts';
import { kubesprayExample } from '../../support/definitions/kubespray.ts';

const kindOf = (variable: string): string => {
  const sides = { before: kubesprayExample, after: kubesprayExample };
  return meaningOf({ path: `kubespray.variables.${variable}`.split('.'), before: '1', after: '2' }, sides)
    .kind;
};

test.each([
  ['kubernetes_audit', 'upgrade'],
  ['kube_encrypt_secret_data', 'upgrade'],
  ['kube_vip_interface', 'upgrade'],
  ['kubelet_max_pods', 'phases'],
  ['kube_network_node_prefix', 'refused'],
  ['dns_domain', 'refused'],
  ['etcd_deployment_type', 'refused'],
])('a changed variable of a running cluster is brought, or refused with the reason: %s', (variable, kind) => {
  expect(kindOf(variable)).toBe(kind);
});
