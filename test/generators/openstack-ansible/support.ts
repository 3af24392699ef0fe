import type { Cluster, OpenStackAnsibleMagnum } from '../../../generators/cluster/cluster.ts';
import type { Files } from '../../../generators/definition/files.ts';
import { load } from '../../../generators/load.ts';
import { readYaml } from '../../../generators/yaml.ts';
import { ok } from '../../../generators/result.ts';
import { osaTree, treeFolder } from '../../../generators/phases/openstack-ansible/tree/tree.ts';

/** A definition without a fault; `changes` replaces texts in it. */
export const definition = (changes: Readonly<Record<string, string>> = {}): string =>
  Object.entries(changes).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the definition has no ${from}`);
    return text.replace(from, to);
  }, sound);

const sound = `apiVersion: playsmith/v1
kind: OpenStackAnsibleMagnum
metadata: { name: cloud-a }
ansibleServer: local
openStackAnsible:
  release: "2025.2"
  configuration: [user_config.yml]
controlPlane:
  podSubnet: 172.29.200.0/22
`;

/** What a deploy host with three infrastructure hosts, Magnum, Octavia and OVN has. */
export const userConfig = `---
cidr_networks:
  management: 172.29.236.0/22
  tunnel: 172.29.240.0/22
used_ips: []
global_overrides:
  internal_lb_vip_address: 172.29.236.9
  external_lb_vip_address: 203.0.113.10
  management_bridge: br-mgmt
  provider_networks:
    - network: { container_bridge: br-vxlan, type: geneve, group_binds: [neutron_ovn_controller] }
shared-infra_hosts: &infra
  infra1: { ip: 172.29.236.11 }
  infra2: { ip: 172.29.236.12 }
  infra3: { ip: 172.29.236.13 }
magnum-infra_hosts: *infra
octavia-infra_hosts: *infra
network-gateway_hosts: *infra
compute_hosts:
  compute1: { ip: 172.29.236.16 }
`;

export const filesWith = (text = userConfig): Files => new Map([['user_config.yml', ok(text)]]);

/** Problems and warnings as `line: message → remedy`; warnings begin with `warning`. */
export function said(text: string, files = filesWith()): readonly string[] {
  const loaded = load(text, 'osa.yml', files);
  const faults = loaded.ok ? loaded.value.warnings : loaded.failure;
  return faults.map(
    ({ severity, line, message, remedy }) =>
      `${severity === 'warning' ? 'warning ' : ''}${line}: ${message} → ${remedy}`,
  );
}

export function clusterOf(text = definition(), files = filesWith()): Cluster {
  const loaded = load(text, 'osa.yml', files);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.failure));
  return loaded.value.cluster;
}

export function osaOf(text = definition(), files = filesWith()): OpenStackAnsibleMagnum {
  const { osa } = clusterOf(text, files);
  if (osa === undefined) throw new Error('this is a cluster');
  return osa;
}

/** The tree of the configuration directory: path → what YAML says. */
export const treeOf = (osa: OpenStackAnsibleMagnum): ReadonlyMap<string, unknown> =>
  new Map(
    osaTree('cloud-a', osa).map(({ path, text }) => [
      path.slice(treeFolder.length + 1),
      path.endsWith('.yml') ? readYaml(text) : text,
    ]),
  );
