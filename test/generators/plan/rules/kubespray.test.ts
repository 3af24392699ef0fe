import { describe, expect, test } from 'vitest';
import { meaningOf } from '../../../../generators/plan/rules/rules.ts';
import { kubesprayExample } from '../../../support/definitions/kubespray.ts';

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

describe('a mark of a node', () => {
  const why = (field: string, before: object, after: object): string => {
    const change = {
      path: ['machines', 'worker01', field],
      before: JSON.stringify(before),
      after: JSON.stringify(after),
    };
    const meaning = meaningOf(change, { before: kubesprayExample, after: kubesprayExample });
    return 'why' in meaning ? meaning.why : meaning.kind;
  };
  const [a, b] = [
    { key: 'a', value: '1' },
    { key: 'b', value: '1' },
  ];
  const brings = /npx task run kubespray-cluster brings it$/;

  test('that comes is brought by kubespray, and one that goes by whoever reads how', () => {
    expect(why('labels', [a], [a, b])).toMatch(brings);
    expect(why('labels', [a], [{ ...a, value: '2' }])).toMatch(brings);
    expect(why('labels', [a, b], [])).toMatch(/takes nothing away: kubectl label nodes worker01 a- b-$/);
    const taint = { key: 'dedicated', value: 'cnf', effect: 'NoSchedule' };
    expect(why('taints', [taint], [{ ...taint, effect: 'NoExecute' }])).toMatch(
      /kubectl taint nodes worker01 dedicated:NoSchedule-$/,
    );
  });
});
