import { describe, expect, test } from 'vitest';
import { calicoDefault } from '../../../generators/catalog/openstack-ansible/labels.ts';
import { filesWith, osaOf, said } from './support.ts';
import { withWorkload } from './workload-support.ts';

const mine = 'labels: { boot_volume_size: 20 }';
const labelled = (labels: string, more: Readonly<Record<string, string>> = {}): readonly string[] =>
  said(withWorkload({ [mine]: `labels: { ${labels} }`, ...more }), filesWith());
/** Of release 2026.1, whose driver is v0.36.6. */
const newer = { '"2025.2"': '"2026.1"' };

describe('labels of workload clusters', () => {
  test('sound ones are no matter', () => {
    expect(said(withWorkload(), filesWith())).toEqual([]);
    expect(
      labelled('calico_tag: v3.29.0, octavia_provider: ovn, server_group_policies: "anti-affinity"'),
    ).toEqual([]);
  });

  test.each([
    ['boot_volumesize: 20', 'the driver reads no label boot_volumesize: it has no effect → boot_volume_size'],
    [
      'audit_log_maxage: 30',
      'the driver reads no label audit_log_maxage: it has no effect → audit_log_max_age',
    ],
    [
      'master_lb_allowed_cidrs: 10.0.0.0/8',
      'the driver reads no label master_lb_allowed_cidrs: it has no effect →',
    ],
    ['kube_tag: v1.31.1', 'kube_tag follows from the `kubernetes` of the image'],
    ['master_lb_floating_ip_enabled: false', 'master_lb_floating_ip_enabled follows from `floatingAddress`'],
    [
      'cilium_hubble_ui_enabled: true',
      'the driver v0.24.2 does not read cilium_hubble_ui_enabled → v0.35.0 or newer',
    ],
    ['auto_healing_enabled: "yes"', 'yes is no value of auto_healing_enabled → true or false'],
    ['etcd_volume_size: big', 'big is no value of etcd_volume_size → a whole number'],
    ['calico_tag: v3.30.0', 'v3.30.0 is no value of calico_tag → one of v3.24.2, v3.25.2'],
    ['server_group_policies: near', 'near is no value of server_group_policies → soft-anti-affinity'],
    ['cloud_provider_tag: latest', 'latest is no value of cloud_provider_tag → a tag'],
    [
      'octavia_provider: ovn, octavia_lb_algorithm: ROUND_ROBIN',
      'the driver refuses ROUND_ROBIN with the provider ovn → SOURCE_IP_PORT',
    ],
    ['calico_ipv4pool: 172.29.236.0/24', '172.29.236.0/24 overlaps the network management (172.29.236.0/22)'],
    [
      'calico_ipv4pool: 172.29.200.0/24',
      '172.29.200.0/24 overlaps the pods of the control plane (172.29.200.0/22)',
    ],
    [
      'calico_ipv4pool: 10.1.0.0/16, service_cluster_ip_range: 10.1.128.0/24',
      '10.1.128.0/24 overlaps the label calico_ipv4pool (10.1.0.0/16)',
    ],
    ['availability_zone: "a=b"', '"a=b" is not a value of a label'],
  ])('%s', (labels, wanted) => {
    const found = labelled(labels);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(wanted);
  });

  test('truth values on which drivers from v0.30 to v0.36 fail are refused there alone', () => {
    expect(labelled('cinder_csi_enabled: false')).toEqual([]);
    expect(labelled('cinder_csi_enabled: false', newer).join()).toContain(
      'the driver v0.36.6 fails on cinder_csi_enabled',
    );
  });

  test('every value is text when it travels', () => {
    const { labels } = osaOf(
      withWorkload({ [mine]: 'labels: { auto_healing_enabled: true, boot_volume_size: 20 }' }),
    ).workload.templates[0] ?? { labels: {} };
    expect(labels).toEqual({ auto_healing_enabled: 'true', boot_volume_size: '20', kube_tag: 'v1.30.2' });
  });

  test('from v0.35 on the driver would ask for a provider that OpenStack-Ansible does not enable', () => {
    const labelsOf = (given: string, more = {}) =>
      osaOf(withWorkload({ [mine]: `labels: { ${given} }`, ...more })).workload.templates[0]?.labels;
    expect(labelsOf('boot_volume_size: 20')).not.toHaveProperty('octavia_provider');
    expect(labelsOf('boot_volume_size: 20', newer)).toMatchObject({ octavia_provider: 'amphora' });
    expect(labelsOf('octavia_provider: ovn', newer)).toMatchObject({ octavia_provider: 'ovn' });
  });

  test('what a driver takes for Calico when nothing is said', () => {
    expect(['v0.24.2', 'v0.29.3', 'v0.33.0', 'v0.36.6'].map(calicoDefault)).toEqual([
      ...['v3.24.2', 'v3.29.3', 'v3.30.2', 'v3.31.3'],
    ]);
  });
});

describe('the availability zone of a group of workers', () => {
  const inCluster = ', labels: { availability_zone: az1 }';
  const wanted = 'the driver v0.36.6 makes no group of workers without an availability zone → labels: {';
  const group = (words: string, more: Readonly<Record<string, string>> = {}): readonly string[] =>
    said(
      withWorkload({
        ...{ [inCluster]: '', 'workers: 2': `nodeGroups: [{ name: large${words} }]` },
        ...{ ...newer, ...more },
      }),
      filesWith(),
    );

  test('is asked for where the driver would send none', () => {
    expect(group('')).toEqual([expect.stringContaining(wanted)]);
    expect(group(', labels: { boot_volume_size: 20 }')).toEqual([expect.stringContaining(wanted)]);
    const older = { [inCluster]: '', 'workers: 2': 'nodeGroups: [{ name: large }]' };
    expect(said(withWorkload(older), filesWith())).toEqual([]);
  });

  test('may be that of the group, of its cluster or of the template', () => {
    expect(group(', labels: { availability_zone: nova }')).toEqual([]);
    expect(group('', { 'keypair: ops': `keypair: ops${inCluster}` })).toEqual([]);
    expect(group('', { [mine]: 'labels: { availability_zone: nova }' })).toEqual([]);
  });
});

describe('images, templates and clusters', () => {
  test.each([
    ['image: kube-30', 'image: kube-40', 'there is no kube-40 → one of kube-30, kube-31'],
    ['template: small', 'template: large', 'there is no large → one of small'],
    ['name: kube-31', 'name: kube-30', 'kube-30 stands twice in images → another name'],
    [
      'workers: 2',
      'controlPlanes: 2',
      'the driver refuses 2 control planes: etcd wants an odd number → 1 or 3',
    ],
    [
      'workers: 2',
      'floatingAddress: disabled',
      'through the proxy alone, and there is none → enabled, or `proxy`',
    ],
    [
      'workers: 2',
      'nodeGroups: [{ name: default-worker }]',
      'every cluster has a group default-worker → another name',
    ],
    ['workers: 2', 'nodeGroups: [{ name: a }, { name: a }]', 'a stands twice in nodeGroups → another name'],
    [
      'workers: 2',
      'nodeGroups: [{ name: a, labels: { boot_volumesize: 20 } }]',
      'the driver reads no label boot_volumesize: it has no effect → boot_volume_size',
    ],
    ['workers: 2', 'subnet: s', 'the network of the subnet is not given → network beside it'],
    [
      'flavor: m1.medium',
      'flavor: m1.medium, networkDriver: cilium',
      'Magnum does not allow cilium → calico',
    ],
    [
      'controlPlane:',
      'functionalTest: { kubernetes: v1.33.1 }\ncontrolPlane:',
      'the driver v0.24.2 makes no cluster with v1.33.1',
    ],
    ['kubernetes: v1.31.1', 'kubernetes: v1.32.4', 'the driver v0.24.2 makes no cluster with v1.32.4'],
    [
      'kubernetes: v1.31.1',
      'kubernetes: v1.31.1, distribution: debian',
      'the driver v0.24.2 makes no nodes with debian → ubuntu or flatcar or rockylinux',
    ],
    ['flavor: m1.medium', 'flavor: --help', '"--help" is not a name or an id that is safe on a command line'],
  ])('%s as %s', (from, to, wanted) => {
    const found = said(withWorkload({ [from]: to }), filesWith());
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(wanted);
  });

  test('a template is called by what it says: another image, file or label is another template', () => {
    const titles = [
      {},
      { 'image: kube-30': 'image: kube-31' },
      { 'size: 20': 'size: 21' },
      { 'kube-30.qcow2 } }': `kube-30.qcow2 }, sha256: "${'a'.repeat(64)}" }` },
    ].map((changes) => osaOf(withWorkload(changes)).workload.templates[0]?.title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles[0]).toMatch(/^small-[0-9a-f]{8}$/);
    expect(osaOf(withWorkload()).workload.templates[0]?.title).toBe(titles[0]);
  });
});
