import { describe, exec, type Lab, type LabDescription } from '../../tasks/lab/index.ts';
import { must, on, raiseLab } from './lab.ts';
import { project, type Project } from './project.ts';

/** What a node of the mesh is called, and the host of the lab that it is. */
export const nodes = {
  control: 'ansible',
  hop: 'mesh1',
  exec1: 'mesh2',
  exec2: 'mesh3',
  exec3: 'mesh4',
} as const;

export type Node = keyof typeof nodes;

/** Clusters of one host each, with the execution node that runs them. */
export const clusters = {
  'edge-a': { node: 'exec1', host: 'cp1' },
  'edge-b': { node: 'exec1', host: 'cp2' },
  'edge-c': { node: 'exec2', host: 'cp3' },
  'edge-d': { node: 'exec2', host: 'cp4' },
  'edge-e': { node: 'exec3', host: 'cp5' },
  'edge-f': { node: 'exec3', host: 'cp6' },
} as const;

export type ClusterName = keyof typeof clusters;

export const clusterNames = Object.keys(clusters) as readonly ClusterName[];

const siteOf = (node: string): string => (node === 'exec3' ? 'oslo' : 'paris');

/** A lab for a control node, a hop and three execution nodes, six machines for clusters, and the definitions of all. */
export async function raiseFleet(name: string): Promise<{ readonly lab: Lab; readonly here: Project }> {
  const shape = { ansibleServer: 'trixie', controlPlanes: 6, mesh: 4, client: false } as const;
  const lab = await raiseLab(name, shape);
  await shareKey(lab);
  const here = await project('');
  await here.define(fleetDefinition(describe(lab)), 'fleet.yml');
  for (const cluster of clusterNames)
    await here.define(clusterDefinition(describe(lab), cluster), `${cluster}.yml`);
  return { lab, here };
}

/** Execution nodes reach the machines of clusters with the key that the lab gave to its Ansible server. */
async function shareKey(lab: Lab): Promise<void> {
  const { serverKeyPath, user } = describe(lab);
  const key = await on(lab, nodes.control, 'cat', serverKeyPath);
  const script = `umask 077; install -d -o ${user} -m 0700 ~${user}/.ssh && cat >${serverKeyPath} && chown ${user}: ${serverKeyPath}`;
  for (const node of ['exec1', 'exec2', 'exec3'] as const)
    must(await exec(lab, nodes[node], ['sh', '-c', script], { input: `${key}\n` }));
}

const hostOf = ({ hosts }: LabDescription, name: string): LabDescription['hosts'][number] => {
  const found = hosts.find((host) => host.name === name);
  if (found === undefined) throw new Error(`the lab has no host ${name}`);
  return found;
};

const sshOf = ({ user, serverKeyPath, passwordPath }: LabDescription): string =>
  `ssh: { user: ${user}, privateKey: ${serverKeyPath}, becomePassword: { file: ${passwordPath} } }`;

function fleetDefinition(lab: LabDescription): string {
  const control = hostOf(lab, nodes.control);
  const node = (name: Node, words: string): string => {
    const { address, hostKey } = hostOf(lab, nodes[name]);
    return `  - { name: ${name}, address: ${address}, ssh: { hostKey: "${hostKey}" }, ${words} }`;
  };
  const execution = (['exec1', 'exec2', 'exec3'] as const).map((name) =>
    node(name, `role: execution, site: ${siteOf(name)}, peers: [hop]`),
  );
  const listed = clusterNames.map((name) => {
    const on = clusters[name].node;
    const tier = name === 'edge-a' ? 'canary' : 'rest';
    return `  - { name: ${name}, definition: ${name}.yml, site: ${siteOf(on)}, node: ${on}, labels: { tier: ${tier} } }`;
  });
  return [
    'apiVersion: playsmith/v1',
    'kind: Fleet',
    'metadata: { name: fleet }',
    `ansibleServer: { host: ${control.address}, user: ${lab.user}, auth: { privateKey: ${lab.keyPath} }, hostKey: "${control.hostKey}" }`,
    sshOf(lab),
    'nodes:',
    node('control', 'role: control'),
    node('hop', 'role: hop, peers: [control]'),
    ...execution,
    'clusters:',
    ...listed,
    '',
  ].join('\n');
}

/** A control plane whose API somebody else serves: HAProxy and Keepalived are what is built. */
function clusterDefinition(lab: LabDescription, name: ClusterName): string {
  const { host } = clusters[name];
  const { address, hostKey } = hostOf(lab, host);
  const vip = lab.vip.replace(/\d+$/, String(101 + clusterNames.indexOf(name)));
  return [
    'apiVersion: playsmith/v1',
    'kind: Cluster',
    `metadata: { name: ${name} }`,
    'ansibleServer: local',
    sshOf(lab),
    `controlPlaneEndpoint: { address: ${vip}/24, port: 6440, loadBalancer: { placement: stacked } }`,
    'nodes:',
    `  - { name: ${host}, roles: [control-plane, worker], address: ${address}, ssh: { hostKey: "${hostKey}" } }`,
    '',
  ].join('\n');
}
