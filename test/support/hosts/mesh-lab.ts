import { describe, exec, type Lab, type LabDescription, type LabShape } from '../../../lab/index.ts';
import { must, on, raiseLab } from './lab.ts';
import { project, type Project } from '../project.ts';

/** A node that runs clusters: its name in the mesh, the host of the lab that it is, and its site. */
export interface ExecutionNode {
  readonly name: string;
  readonly host: string;
  readonly site: string;
  /** The hop that leads to it, when it is not the first. */
  readonly hop?: string;
}

export interface ListedCluster {
  readonly name: string;
  readonly site: string;
  readonly node: string;
  /** Hosts of the lab: control planes that are workers, too, each with HAProxy and Keepalived. */
  readonly hosts: readonly string[];
  /** The last number of its virtual address. */
  readonly vip: number;
  /** Where many clusters share a network; made of their names otherwise. */
  readonly virtualRouterId?: number;
  /** How often Keepalived and HAProxy look, like `10s`: a hundred machines that look each second are half a processor's work. */
  readonly look?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface MeshLab {
  readonly lab: Lab;
  readonly here: Project;
}

/** Hosts of the lab that are the control node and the hop. */
export const controlHost = 'ansible';
export const hopHost = 'mesh1';

/** A lab with a control node, a hop, `mesh` less one execution nodes and machines, and the definitions of the fleet and its clusters. */
export async function raiseMesh(name: string, shape: Partial<LabShape>, fleet: FleetText): Promise<MeshLab> {
  const lab = await raiseLab(name, { ansibleServer: 'trixie', client: false, ...shape });
  await shareKey(lab, fleet.execution);
  const here = await project('');
  await here.define(fleetText(describe(lab), fleet), 'fleet.yml');
  for (const cluster of fleet.clusters)
    await here.define(clusterText(describe(lab), cluster), `${cluster.name}.yml`);
  return { lab, here };
}

/** Execution nodes reach the machines of clusters with the key that the lab gave to its Ansible server. */
async function shareKey(lab: Lab, execution: readonly ExecutionNode[]): Promise<void> {
  const { serverKeyPath, user } = describe(lab);
  const key = await on(lab, controlHost, 'cat', serverKeyPath);
  const script = `umask 077; install -d -o ${user} -m 0700 ~${user}/.ssh && cat >${serverKeyPath} && chown ${user}: ${serverKeyPath}`;
  for (const { host } of execution) must(await exec(lab, host, ['sh', '-c', script], { input: `${key}\n` }));
}

const hostOf = ({ hosts }: LabDescription, name: string): LabDescription['hosts'][number] => {
  const found = hosts.find((host) => host.name === name);
  if (found === undefined) throw new Error(`the lab has no host ${name}`);
  return found;
};

const sshOf = ({ user, serverKeyPath, passwordPath }: LabDescription): string =>
  `ssh: { user: ${user}, privateKey: ${serverKeyPath}, becomePassword: { file: ${passwordPath} } }`;

interface FleetText {
  /** Hops behind the hop by name, and the hosts that they are; listed before it. */
  readonly far?: Readonly<Record<string, string>>;
  readonly execution: readonly ExecutionNode[];
  readonly clusters: readonly ListedCluster[];
}

/** The definition of a fleet over a hop; that of each cluster lies beside it. */
export function fleetText(lab: LabDescription, { far = {}, execution, clusters }: FleetText): string {
  const control = hostOf(lab, controlHost);
  const node = (name: string, host: string, words: string): string => {
    const { address, hostKey } = hostOf(lab, host);
    return `  - { name: ${name}, address: ${address}, ssh: { hostKey: "${hostKey}" }, ${words} }`;
  };
  return [
    'apiVersion: playsmith/v1',
    'kind: Fleet',
    'metadata: { name: fleet }',
    `ansibleServer: { host: ${control.address}, user: ${lab.user}, auth: { privateKey: ${lab.keyPath} }, hostKey: "${control.hostKey}" }`,
    sshOf(lab),
    'nodes:',
    node('control', controlHost, 'role: control'),
    ...Object.entries(far).map(([name, host]) => node(name, host, 'role: hop, peers: [hop]')),
    node('hop', hopHost, 'role: hop, peers: [control]'),
    ...execution.map(({ name, host, site, hop = 'hop' }) =>
      node(name, host, `role: execution, site: ${site}, peers: [${hop}]`),
    ),
    'clusters:',
    ...clusters.map(listed),
    '',
  ].join('\n');
}

function listed({ name, site, node, labels = {} }: ListedCluster): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}: ${value}`);
  const labelled = pairs.length === 0 ? '' : `, labels: { ${pairs.join(', ')} }`;
  return `  - { name: ${name}, definition: ${name}.yml, site: ${site}, node: ${node}${labelled} }`;
}

/** A cluster whose API somebody else serves: HAProxy and Keepalived are what is built. */
function clusterText(lab: LabDescription, cluster: ListedCluster): string {
  const { name, hosts, vip } = cluster;
  return [
    'apiVersion: playsmith/v1',
    'kind: Cluster',
    `metadata: { name: ${name} }`,
    'ansibleServer: local',
    sshOf(lab),
    `controlPlaneEndpoint: { address: ${vipAt(lab, vip)}/24, port: 6440, loadBalancer: { placement: stacked${programs(cluster)} } }`,
    'nodes:',
    ...hosts.map((host) => {
      const { address, hostKey } = hostOf(lab, host);
      return `  - { name: ${host}, roles: [control-plane, worker], address: ${address}, ssh: { hostKey: "${hostKey}" } }`;
    }),
    '',
  ].join('\n');
}

function programs({ virtualRouterId, look }: ListedCluster): string {
  const check = look === undefined ? [] : [`check: { interval: ${look} }`];
  const router = virtualRouterId === undefined ? [] : [`virtualRouterId: ${virtualRouterId}`];
  const of = (program: string, words: readonly string[]): string =>
    words.length === 0 ? '' : `, ${program}: { ${words.join(', ')} }`;
  return of('haproxy', check) + of('keepalived', [...router, ...check]);
}

/** The address of the lab's network that ends with this number. */
export const vipAt = ({ vip }: LabDescription, number: number): string => vip.replace(/\d+$/, String(number));
