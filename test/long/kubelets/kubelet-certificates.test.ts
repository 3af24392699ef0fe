import { parseDocument } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { down, exec, type Lab } from '../../../lab/index.ts';
import { kubectl } from '../../support/hosts/kubernetes.ts';
import { definitionOf, must, on, raiseLab, until } from '../../support/hosts/lab.ts';
import { changes, planned, project, type Project } from '../../support/project.ts';

const name = 'kubelets';
const nodes = ['cp1', 'worker1'] as const;
const authority = '/etc/kubernetes/pki/ca.crt';
let lab: Lab;
let here: Project;

beforeAll(async () => {
  lab = await raiseLab(name, { kubernetes: true, controlPlanes: 1, workers: 1 });
  here = await project(definitionOf(lab));
  await here.done('render');
  await here.done('apply', '--yes', '--json');
});

afterAll(async () => {
  await here.remove();
  must(await down(name));
});

describe('certificates of kubelets on a running cluster', () => {
  test('are their own at first', async () => {
    for (const node of nodes) expect(await isSigned(node)).toBe(false);
  });

  test('are those of the cluster once the definition says so, and API servers may insist on it', async () => {
    await define(true);
    expect(await planned(here)).toEqual(['reconfigure']);
    expect((await here.done('plan')).stdout).toContain('once its certificate is approved');
    await here.done('apply', '--yes', '--json');
    for (const node of nodes) expect(await isSigned(node)).toBe(true);
    const pod = ['logs', '--namespace', 'kube-system', '--selector', 'k8s-app=kube-proxy', '--tail', '1'];
    await kubectl(lab, 'cp1', ...pod);
  });

  test('are brought once, and check mode finds nothing more', async () => {
    expect(await planned(here)).toEqual([]);
    expect(changes(await here.done('run', 'reconfigure', '--json'))).toEqual({});
    expect((await here.task('drift', '--json')).status).toBe(0);
  });

  test('are asked for anew: told by drift and verify, approved by rotate-certificates', async () => {
    // As after nine months: the kubelet has none that is good, and asks.
    await on(lab, 'worker1', 'sh', '-c', 'rm --force /var/lib/kubelet/pki/kubelet-server-*');
    await on(lab, 'worker1', 'systemctl', 'restart', 'kubelet');
    await until('worker1 asks', async () => (await waiting()).length === 1);
    const drift = await here.task('drift', '--json');
    expect(drift.status).toBe(25);
    expect(drift.stdout).toContain('npx task rotate-certificates');
    expect((await here.task('verify', '--json')).status).toBe(20);
    await here.done('rotate-certificates', '--json');
    expect(await isSigned('worker1')).toBe(true);
    await here.done('verify', '--json');
  });

  test('are not approved for names of others, though the node itself asks', async () => {
    await ask('worker1', 'DNS:cp1,IP:10.77.0.11');
    await here.done('rotate-certificates', '--json');
    expect((await here.task('drift', '--json')).stdout).toContain('is not approved: it is for');
    expect(await waiting()).toEqual(['foreign']);
    await kubectl(lab, 'cp1', 'delete', 'csr', 'foreign');
  });

  test('are given to a node that is recreated', async () => {
    const none = ['--set', 'node_preflight_minimum=0'];
    await here.done('scale-in', 'worker1', '--confirm', 'worker1', ...none, '--json');
    await here.done('apply', '--yes', '--json');
    expect(await isSigned('worker1')).toBe(true);
    await here.done('verify', '--json');
  });

  test('are their own again when the definition no longer says so', async () => {
    await define(false);
    expect(await planned(here)).toEqual(['reconfigure']);
    await here.done('apply', '--yes', '--json');
    for (const node of nodes) expect(await isSigned(node)).toBe(false);
    await here.done('verify', '--json');
  });
});

async function define(signed: boolean): Promise<void> {
  const document = parseDocument(definitionOf(lab));
  if (signed) {
    document.setIn(['installer', 'kubeadm', 'serverTLSBootstrap'], true);
    const argument = ['extraArguments', 'apiServer', 'kubelet-certificate-authority'];
    document.setIn(['installer', 'kubeadm', ...argument], authority);
  }
  await here.define(document.toString());
  await here.done('render');
}

/** Whether the authority of the cluster has signed what a kubelet serves with, and it is for its address. */
async function isSigned(node: string): Promise<boolean> {
  const path = `{.status.addresses[?(@.type=="InternalIP")].address}`;
  const address = await kubectl(lab, 'cp1', 'get', 'node', node, '--output', `jsonpath=${path}`);
  const where = ['-connect', `${address.trim()}:10250`, '-verify_ip', address.trim()];
  const words = ['openssl', 's_client', ...where, '-CAfile', authority, '-verify_return_error'];
  return (await exec(lab, 'cp1', words)).ok;
}

async function waiting(): Promise<readonly string[]> {
  const shown = await kubectl(lab, 'cp1', 'get', 'csr', '--output', 'json');
  const { items } = JSON.parse(shown) as {
    readonly items: readonly {
      readonly metadata: { readonly name: string };
      readonly status: { readonly conditions?: unknown };
    }[];
  };
  return items.filter(({ status }) => status.conditions === undefined).map(({ metadata }) => metadata.name);
}

/** Has a node ask for a certificate with names of its choice, by its own credentials. */
async function ask(node: string, names: string): Promise<void> {
  const program = `set -e; cd "$(mktemp -d)"
openssl req -new -newkey rsa:2048 -nodes -keyout key -out csr -subj "/O=system:nodes/CN=system:node:${node}" -addext "subjectAltName=${names}"
printf '%s' '{"apiVersion":"certificates.k8s.io/v1","kind":"CertificateSigningRequest","metadata":{"name":"foreign"},"spec":{"signerName":"kubernetes.io/kubelet-serving","usages":["digital signature","server auth"],"request":"'"$(base64 -w0 csr)"'"}}' > object
kubectl --kubeconfig /etc/kubernetes/kubelet.conf create --filename object`;
  await on(lab, node, 'bash', '-c', program);
}
