import { delimiter, join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { describe as describeLab, down, exec, labArtifacts, type Lab } from '../../lab/index.ts';
import { calicoVersion } from '../../lab/kubernetes/calico.ts';
import { ciliumVersion, helmVersion } from '../../lab/kubernetes/cilium.ts';
import { labReleases } from '../../lab/kubernetes/releases.ts';
import { ciliumCapabilities, kubectl } from '../support/hosts/kubernetes.ts';
import { definitionOf, must, on, raiseLab, until } from '../support/hosts/lab.ts';
import { changes, planned, project, type Project } from '../support/project.ts';
import { there } from '../support/there.ts';

const { flannel } = there(labReleases.at(-1));

/** Each pod network with both families of addresses, on nodes that have both. */
const networks = [
  { name: 'flannel', plugin: { flannel: { version: flannel } }, extras: [] },
  { name: 'routes', plugin: 'static-routes', extras: [] },
  {
    name: 'calico',
    plugin: { calico: { version: calicoVersion, encapsulation: 'vxlan' } },
    extras: ['calico'],
  },
  {
    name: 'cilium',
    // Without Envoy, which cannot be had: policies of addresses and ports need none.
    plugin: {
      cilium: {
        version: ciliumVersion,
        helm: { version: helmVersion },
        values: {
          envoy: { enabled: false },
          l7Proxy: false,
          securityContext: { capabilities: ciliumCapabilities },
        },
      },
    },
    extras: ['cilium'],
  },
] as const;
const mtu = 1400;

describe.each(networks)('pods of a dual-stack cluster with $name', ({ name, plugin, extras }) => {
  let lab: Lab;
  let here: Project;

  beforeAll(async () => {
    lab = await raiseLab(name, { kubernetes: true, controlPlanes: 1, workers: 2, extras });
    for (const [host, address] of secondAddresses(lab))
      await on(lab, host, 'ip', 'address', 'add', `${address}/64`, 'dev', 'eth0');
    here = await project(dualStack(lab, plugin));
    await here.done('render');
    await here.done('run', '--json');
    await apply(lab, workload);
    await kubectl(lab, 'cp1', 'wait', '--for=condition=Ready', 'pod', '--all', '--timeout=180s');
  });

  afterAll(async () => {
    await here.remove();
    must(await down(name));
  });

  test('run on nodes that registered an address of each family', async () => {
    const nodes = await Promise.all(
      secondAddresses(lab).map(async ([host, address]) => {
        const path = String.raw`{.status.addresses[?(@.type=="InternalIP")].address}`;
        return [await kubectl(lab, 'cp1', 'get', 'node', host, '-o', `jsonpath=${path}`), address] as const;
      }),
    );
    for (const [registered, address] of nodes) expect(registered.split(' ')).toContain(address);
    expect(nodes.every(([registered]) => registered.split(' ').length === 2)).toBe(true);
  });

  test('reach each other from node to node by both, also by a Service', async () => {
    const addresses = await addressesOf(lab, 'one');
    expect(addresses.map((address) => address.includes(':'))).toEqual([false, true]);
    for (const address of addresses) expect(await asked(lab, 'two', address, 8080)).toBe('one');
    const text = await kubectl(lab, 'cp1', 'get', 'service', 'one', '-o', 'jsonpath={.spec.clusterIPs[*]}');
    const services = text.split(' ');
    expect(services.map((address) => address.includes(':'))).toEqual([false, true]);
    for (const address of services) expect(await asked(lab, 'two', address, 80)).toBe('one');
  });

  test('have packets of the size that the definition says, and they arrive whole', async () => {
    expect(await sizeOfPackets(lab, 'two')).toBe(mtu);
    for (const address of await addressesOf(lab, 'one')) {
      const size = mtu - (address.includes(':') ? 48 : 28);
      expect(await within(lab, 'two', 'ping', '-c', '2', '-s', String(size), address)).toContain(
        '2 packets received',
      );
    }
  });

  test('are left alone by a second run, and by a plan', async () => {
    const { events } = await here.done('run', '--json');
    const changed = events.flatMap((event) =>
      event.type === 'host-finished' && event.status === 'changed' ? [`${event.host}: ${event.task}`] : [],
    );
    expect(changed).toEqual([]);
    expect(await planned(here)).toEqual([]);
  });

  test.runIf(name === 'calico' || name === 'cilium')(
    'are left alone when the manifest comes with the bundle instead',
    async () => {
      const { folder } = must(await labArtifacts(() => undefined, { extras }));
      await here.define(dualStack(lab, broughtPlugin(plugin, folder)));
      process.env['PATH'] = `${join(folder, 'binaries')}${delimiter}${process.env['PATH'] ?? ''}`;
      await here.done('render');
      expect(changes(await here.done('run', 'network', '--json'))).toEqual({});
    },
  );

  test.runIf(name === 'calico' || name === 'cilium')(
    'are kept apart by network policies, in both families',
    async () => {
      const addresses = await addressesOf(lab, 'one');
      await apply(lab, policies);
      for (const address of addresses)
        await until(`two is kept from ${address}`, async () => !(await reaches(lab, 'two', address)));
      await kubectl(lab, 'cp1', 'label', 'pod', 'two', 'may=ask');
      for (const address of addresses)
        await until(`two reaches ${address}`, () => reaches(lab, 'two', address));
      expect(await reaches(lab, 'three', addresses[0] ?? '')).toBe(false);
      await kubectl(lab, 'cp1', 'delete', 'networkpolicy', '--all');
      await until('three reaches one again', () => reaches(lab, 'three', addresses[0] ?? ''));
    },
  );
});

/** How large packets are that leave a pod: its way out says so, or else its device. With Cilium the device is larger than the way. */
async function sizeOfPackets(lab: Lab, pod: string): Promise<number> {
  const [node = '', address = ''] = (
    await kubectl(lab, 'cp1', 'get', 'pod', pod, '-o', 'jsonpath={.spec.nodeName} {.status.podIP}')
  ).split(' ');
  const inItsNamespace =
    'for space in $(ip netns | cut -d" " -f1); do ip -n "$space" -brief address | grep -q " $1/" && ip -n "$space" route show default; done; true';
  const ways = await on(lab, node, 'sh', '-c', inItsNamespace, 'sh', address);
  const size = / mtu (?:lock )?(?<size>\d+)/.exec(ways)?.groups?.['size'];
  expect(ways).toMatch(/^default /);
  return Number(size ?? (await within(lab, pod, 'cat', '/sys/class/net/eth0/mtu')));
}

/** The same plugin from what lies beside the definition, in place of what hosts have to fetch. */
function broughtPlugin(plugin: (typeof networks)[number]['plugin'], artifacts: string): object {
  const { calico, cilium } = plugin as {
    readonly calico?: object;
    readonly cilium?: { readonly helm: object };
  };
  if (cilium === undefined)
    return { calico: { ...calico, manifest: join(artifacts, 'manifests/calico.yaml') } };
  const { helm: _, ...others } = cilium;
  return { cilium: { ...others, chart: join(artifacts, 'charts/cilium.tgz') } };
}

/** Host → an IPv6 address of its own on the network of the lab. */
const secondAddresses = (lab: Lab): (readonly [host: string, address: string])[] =>
  describeLab(lab)
    .hosts.filter(({ roles }) => roles.includes('control-plane') || roles.includes('worker'))
    .map(({ name, address }) => [name, `fd00:77::${address.split('.').at(-1) ?? ''}`] as const);

function dualStack(lab: Lab, plugin: string | object): string {
  const document = parseDocument(definitionOf(lab));
  document.setIn(['network', 'plugin'], document.createNode(plugin));
  document.setIn(['network', 'mtu'], mtu);
  document.setIn(['network', 'podSubnet'], document.createNode(['10.244.0.0/16', 'fd00:10:244::/56']));
  document.setIn(['network', 'serviceSubnet'], document.createNode(['10.96.0.0/16', 'fd00:10:96::/112']));
  const second = new Map(secondAddresses(lab));
  const { nodes } = document.toJS() as { readonly nodes: readonly { readonly name: string }[] };
  for (const [index, { name }] of nodes.entries())
    document.setIn(['nodes', index, 'secondaryAddress'], second.get(name));
  return document.toString();
}

const pod = (name: string, node: string): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name}, labels: { app: ${name} } }
spec:
  terminationGracePeriodSeconds: 1
  nodeSelector: { kubernetes.io/hostname: ${node} }
  containers: [{ name: echo, image: docker.io/lab/echo:1, readinessProbe: { httpGet: { port: 8080 }, periodSeconds: 1 } }]
`;

const workload = [
  pod('one', 'worker1'),
  pod('two', 'worker2'),
  pod('three', 'worker1'),
  `apiVersion: v1
kind: Service
metadata: { name: one }
spec:
  ipFamilyPolicy: RequireDualStack
  selector: { app: one }
  ports: [{ port: 80, targetPort: 8080 }]
`,
].join('---\n');

/** Nobody may ask the pod `one` but pods that may. */
const policies = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: some }
spec:
  podSelector: { matchLabels: { app: one } }
  ingress: [{ from: [{ podSelector: { matchLabels: { may: ask } } }] }]
`;

async function apply(lab: Lab, text: string): Promise<void> {
  const encoded = Buffer.from(text).toString('base64');
  const words = 'kubectl --kubeconfig /etc/kubernetes/admin.conf apply --filename -';
  await on(lab, 'cp1', 'sh', '-c', `echo ${encoded} | base64 -d | ${words}`);
}

const addressesOf = async (lab: Lab, name: string): Promise<readonly string[]> =>
  (await kubectl(lab, 'cp1', 'get', 'pod', name, '-o', 'jsonpath={.status.podIPs[*].ip}')).split(' ');

const within = (lab: Lab, name: string, ...words: readonly string[]): Promise<string> =>
  kubectl(lab, 'cp1', 'exec', name, '--', '/bin/busybox', ...words);

const urlOf = (address: string, at: number): string =>
  `http://${address.includes(':') ? `[${address}]` : address}:${at}/`;

const asked = (lab: Lab, from: string, address: string, at: number): Promise<string> =>
  kubectl(lab, 'cp1', 'exec', from, '--', '/echo', 'get', urlOf(address, at));

const reaches = async (lab: Lab, from: string, address: string): Promise<boolean> => {
  const words = ['exec', from, '--', '/echo', 'get', urlOf(address, 8080)];
  return (await exec(lab, 'cp1', ['kubectl', '--kubeconfig', '/etc/kubernetes/admin.conf', ...words])).ok;
};
