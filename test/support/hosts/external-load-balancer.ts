import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import {
  describe,
  exec,
  probeSoFar,
  startProbe,
  stopProbe,
  type Lab,
  type LabShape,
} from '../../../lab/index.ts';
import type { Attempt } from '../../../lab/client/probe-result.ts';
import { definitionOf, must, on, until } from './lab.ts';

/** Two external load balancers, three workers whose node ports are played by small programs, and a client. */
export const externalShape: Partial<LabShape> = { controlPlanes: 1, workers: 3, loadBalancers: 2 };

/** The lab's definition with its load balancers outside the cluster, and without the workers named. */
export function externalDefinition(
  lab: Lab,
  { without = [], changes = {} }: { readonly without?: readonly string[]; readonly changes?: object } = {},
): string {
  const { vip } = describe(lab);
  const document = parseDocument(definitionOf(lab));
  const { nodes } = document.toJS() as { readonly nodes: readonly { readonly name: string }[] };
  document.delete('controlPlaneEndpoint');
  document.set('network', { nodeSubnet: `${vip.replace(/\d+$/, '0')}/24` });
  document.set(
    'nodes',
    nodes.filter(({ name }) => !without.includes(name)),
  );
  document.set('externalLoadBalancer', {
    hosts: ['lb1', 'lb2'],
    address: `${vip}/24`,
    services: [{ name: 'web', port: 80, nodePort: 30080 }],
    drain: '20s',
    ...changes,
  });
  return document.toString();
}

/** A lab's definition of a cluster whose load balancer `lb1` is outside of it, for a Service that the cluster gives a port. */
export function besideCluster(definition: string, service: string, without: readonly string[] = []): string {
  const document = parseDocument(definition);
  const { nodes } = document.toJS() as { readonly nodes: readonly { readonly name: string }[] };
  document.setIn(['controlPlaneEndpoint', 'loadBalancer', 'placement'], 'stacked');
  document.set(
    'nodes',
    nodes.filter(({ name }) => !without.includes(name)),
  );
  document.set('externalLoadBalancer', { hosts: ['lb1'], services: [{ name: service, port: 80 }] });
  return document.toString();
}

/** Starts what plays kube-proxy on a worker, now and whenever the worker comes back. */
export async function startNodePort(lab: Lab, host: string): Promise<void> {
  await put(lab, host, 'node-port.py', '/usr/local/lib/node-port.py');
  const unit =
    '[Service]\\nExecStart=python3 /usr/local/lib/node-port.py\\n[Install]\\nWantedBy=multi-user.target\\n';
  await on(lab, host, 'sh', '-c', `printf '${unit}' > /etc/systemd/system/node-port.service`);
  await on(lab, host, 'systemctl', 'enable', '--quiet', '--now', 'node-port');
}

/** What the client saw of its requests. */
export interface Traffic {
  readonly asked: number;
  /** What went wrong, once for each request that was not answered. */
  readonly failed: readonly string[];
  /** Seconds of the request that took longest. */
  readonly longest: number;
  /** Node → how many requests it answered. */
  readonly answers: Readonly<Record<string, number>>;
}

/** What a client that asks fifty times a second saw while something was done, and for two seconds after. */
export async function trafficDuring(
  lab: Lab,
  work: () => Promise<unknown>,
  url = `http://${describe(lab).vip}/`,
): Promise<Traffic> {
  must(await startProbe(lab, url, { interval: 0.02, timeout: 5 }));
  await work();
  const reached = (await trafficSoFar(lab)).length + 100;
  await until('the client asks on', async () => (await trafficSoFar(lab)).length > reached);
  must(await stopProbe(lab));
  return trafficOf(await trafficSoFar(lab));
}

function trafficOf(attempts: readonly Attempt[]): Traffic {
  const answered = attempts.filter(({ ok }) => ok);
  return {
    asked: attempts.length,
    failed: attempts.filter(({ ok }) => !ok).map(({ by }) => by),
    longest: Math.max(...attempts.map(({ asked, ended }) => ended - asked)),
    answers: Object.fromEntries(
      [...new Set(answered.map(({ by }) => by))]
        .sort()
        .map((name) => [name, answered.filter(({ by }) => by === name).length]),
    ),
  };
}

/** Nodes that have answered a request since the client began. */
export const answering = async (lab: Lab): Promise<ReadonlySet<string>> =>
  new Set((await trafficSoFar(lab)).filter(({ ok }) => ok).map(({ by }) => by));

/** Until none of the latest requests failed, or was answered by that node. */
export const untilWithout = (lab: Lab, node: string): Promise<void> =>
  until(`nobody asks ${node}`, async () => {
    const recent = (await trafficSoFar(lab)).slice(-50);
    return recent.every(({ ok, by }) => ok && by !== node);
  });

/** Every request that has ended. */
export const trafficSoFar = async (lab: Lab): Promise<readonly Attempt[]> => must(await probeSoFar(lab));

/** Takes a worker out the way Tacker's script does it: its line out of the file, and HAProxy started again. */
export const removeByRestart = (lab: Lab, host: string, worker: string): Promise<string> =>
  on(
    lab,
    host,
    'sh',
    '-c',
    `sed -i "$(grep -n ${worker} /etc/haproxy/haproxy.cfg | head -1 | cut -d: -f1)d" /etc/haproxy/haproxy.cfg && systemctl restart haproxy`,
  );

async function put(lab: Lab, host: string, name: string, path: string): Promise<void> {
  const input = await readFile(join(import.meta.dirname, name), 'utf8');
  must(await exec(lab, host, ['sh', '-c', `cat > ${path}`], { input }));
}
