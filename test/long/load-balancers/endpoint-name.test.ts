import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, parseDocument } from 'yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describe as describeLab, down, exec, type Lab } from '../../../lab/index.ts';
import { kubectl, readiness } from '../../support/hosts/kubernetes.ts';
import { definitionOf, must, on, raiseLab } from '../../support/hosts/lab.ts';
import { changes, planned, project, type Project } from '../../support/project.ts';

const name = 'named';
// There is no name server in a lab: whoever finds it has it from /etc/hosts.
const dnsName = 'api.named.example.org';
const server = `https://${dnsName}:6440`;
const allReady = 'cp1=True worker1=True';
let lab: Lab;
let here: Project;

const definitionWith = (wanted: string): string => {
  const document = parseDocument(definitionOf(lab));
  document.setIn(['controlPlaneEndpoint', 'dnsName'], wanted);
  return document.toString();
};

/** What Python's own TLS says to a client on that host that knows the authority and a name, and nothing else. */
async function asked(host: string, at: string, named = at): Promise<string> {
  const answered = await exec(lab, host, ['python3', '-c', ask, at, named]);
  return answered.ok ? answered.value.stdout.trim() : JSON.stringify(answered.failure);
}

const ask = [
  'import socket, ssl, sys',
  'context = ssl.create_default_context(cafile="/etc/kubernetes/pki/ca.crt")',
  'try:',
  '    plain = socket.create_connection((sys.argv[1], 6440), timeout=10)',
  '    with context.wrap_socket(plain, server_hostname=sys.argv[2]) as client:',
  '        client.sendall(("GET /readyz HTTP/1.0\\r\\nHost: %s\\r\\n\\r\\n" % sys.argv[2]).encode())',
  '        print(client.makefile().read().split()[-1])',
  'except ssl.SSLCertVerificationError as error:',
  '    print(error.verify_message)',
].join('\n');

beforeAll(async () => {
  lab = await raiseLab(name, { kubernetes: true, controlPlanes: 1, workers: 1 });
  here = await project(definitionWith(dnsName));
  await here.done('render');
  await here.done('apply', '--yes', '--json');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

test('a cluster whose endpoint has a name is made, and made once', async () => {
  expect(await readiness(lab, 'cp1')).toBe(allReady);
  expect(await planned(here)).toEqual([]);
  expect(changes(await here.done('run', '--json'))).toEqual({});
});

test('the kubeconfig names it, as do kubelets, kube-proxy and what joining nodes are told', async () => {
  await here.done('kubeconfig');
  const fetched = await readFile(join(here.folder, '.playsmith', name, 'kubeconfig'), 'utf8');
  expect(parse(fetched)).toMatchObject({ clusters: [{ cluster: { server } }] });
  expect(fetched).not.toContain(describeLab(lab).vip);
  expect(await on(lab, 'worker1', 'cat', '/etc/kubernetes/kubelet.conf')).toContain(`server: ${server}\n`);
  for (const [namespace, map] of [
    ['kube-system', 'kube-proxy'],
    ['kube-public', 'cluster-info'],
  ] as const)
    expect(
      await kubectl(lab, 'cp1', 'get', 'configmap', map, '--namespace', namespace, '--output', 'yaml'),
    ).toContain(`server: ${server}\n`);
});

test('a client on a node that has only the name is answered, and the certificate fits it; the address still does', async () => {
  const { vip } = describeLab(lab);
  for (const host of ['cp1', 'worker1']) {
    expect(await on(lab, host, 'getent', 'hosts', dnsName)).toMatch(new RegExp(`^${vip} +${dnsName}$`));
    expect(await asked(host, dnsName)).toBe('ok');
    expect(await asked(host, vip)).toBe('ok');
    expect(await asked(host, dnsName, 'other.example.org')).toMatch(/hostname mismatch/i);
  }
});

test('verify finds nothing', async () => {
  await here.done('verify', '--json');
});

test('a node that is made anew joins by the name', async () => {
  await here.done('heal-node', 'worker1', '--set', 'node_preflight_recreate=true', '--json');
  expect(await readiness(lab, 'cp1')).toBe(allReady);
  expect(await on(lab, 'worker1', 'cat', '/etc/kubernetes/kubelet.conf')).toContain(`server: ${server}\n`);
  expect(changes(await here.done('run', '--json'))).toEqual({});
});

test('another name, and none, is refused with what to do; nothing has changed', async () => {
  for (const wanted of [definitionWith('other.example.org'), definitionOf(lab)]) {
    await here.define(wanted);
    await here.done('render');
    const refused = await here.task('plan');
    expect(refused.status, refused.said).not.toBe(0);
    expect(refused.stdout + refused.said).toContain(`give ${dnsName} back`);
  }
  await here.define(definitionWith(dnsName));
  await here.done('render');
  expect(await planned(here)).toEqual([]);
});
