import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ok } from '../../../generators/result.ts';
import {
  clusterWith,
  configMap,
  definitionWith,
  deployment,
  filesOf,
} from '../../support/definitions/cnfs.ts';
import { saidBesides as allSaid, sound } from './support.ts';

type Texts = Readonly<Record<string, string>>;

const said = (cnfs: string, files: Texts, options = {}): readonly string[] =>
  allSaid(definitionWith(cnfs, options), filesOf(files));

const one = (more: string): string => `cnfs:\n  - { name: web, ${more} }\n`;

const namespaces = (cnfs: string, files: Texts): readonly string[] =>
  clusterWith(cnfs, files).cnfs.all.map(({ namespace, namespaceFrom }) => `${namespace} by ${namespaceFrom}`);

describe('the namespace of a CNF', () => {
  const inB = deployment('web', { namespace: 'tenant-b' });
  const plain = deployment('web');

  test.each([
    ['definition and manifest', 'namespace: tenant-a, ', inB, 'tenant-a by definition'],
    ['the definition alone', 'namespace: tenant-a, ', plain, 'tenant-a by definition'],
    ['the manifest alone', '', inB, 'tenant-b by manifests'],
    ['neither', '', plain, 'default by default'],
    [
      'a Namespace among the objects',
      '',
      `apiVersion: v1\nkind: Namespace\nmetadata: { name: tenant-b }\n---\n${inB}`,
      'tenant-b by manifests',
    ],
    [
      'default and none, which are the same',
      '',
      `${deployment('a', { namespace: 'default' })}---\n${plain}`,
      'default by manifests',
    ],
  ])('is that of %s', (_, written, manifest, expected) => {
    expect(namespaces(one(`${written}manifests: [web.yaml]`), { 'web.yaml': manifest })).toEqual([expected]);
  });

  test('is no one when manifests say several, each of which is named with its file and line', () => {
    const files = {
      'a.yaml': inB,
      'b.yaml': `${deployment('x', { namespace: 'tenant-c' })}---\n${deployment('z')}`,
    };
    const faults = said(one('manifests: [a.yaml, b.yaml]'), files);
    expect(faults).toHaveLength(3);
    expect(faults.join('\n')).toContain(
      'a.yaml:1:1: Deployment web is in tenant-b, and a CNF lives in one namespace alone',
    );
    expect(faults.join('\n')).toContain('b.yaml:1:1: Deployment x is in tenant-c');
    expect(faults.join('\n')).toContain('b.yaml:11:1: Deployment z is in default, since it says none');
  });

  test('that overrides the manifests is a warning, and told with the CNF', () => {
    const cnfs = one('namespace: tenant-a, manifests: [web.yaml]');
    expect(said(cnfs, { 'web.yaml': inB })).toEqual([
      expect.stringContaining(
        'warning 14:51 Deployment web (web.yaml:1:1) says the namespace tenant-b, and goes to tenant-a',
      ),
    ]);
    const [cnf] = clusterWith(cnfs, { 'web.yaml': inB }).cnfs.all;
    expect(cnf?.moved).toEqual(['Deployment web (web.yaml:1:1) says tenant-b']);
    expect(cnf?.objects[0]?.['metadata']).toEqual({
      name: 'web',
      namespace: 'tenant-a',
      labels: { 'playsmith.io/cnf': 'web' },
    });
  });

  test.each(['kube-system', 'playsmith-cnfs'])('is never %s', (namespace) => {
    expect(
      said(one(`namespace: ${namespace}, manifests: [web.yaml]`), { 'web.yaml': plain }).join(),
    ).toContain('is no namespace for workloads of tenants');
    const inIt = deployment('web', { namespace });
    expect(said(one('manifests: [web.yaml]'), { 'web.yaml': inIt }).join()).toContain('web.yaml:1:1');
  });
});

describe('what is wrong with a CNF', () => {
  const web = { 'web.yaml': deployment('web') };
  const from = (more: string, files: Texts = web): string =>
    said(one(`namespace: tenant-a, manifests: [web.yaml]${more}`), files).join('\n');

  test('that somebody else installs Kubernetes', () => {
    const text = `${sound}${one('namespace: a, manifests: [web.yaml]')}`;
    expect(allSaid(text, filesOf(web)).join()).toContain('this definition does not install Kubernetes');
  });

  test('not that kubespray installs it, whose version is the one that kinds are judged by', () => {
    const kubespray = readFileSync('examples/kubespray.yml', 'utf8');
    // Without a version of its own it is that of the tag.
    const on = (kind: string, without = ''): readonly string[] =>
      allSaid(
        `${kubespray.replace(without, '')}${one('namespace: a, manifests: [web.yaml]')}`,
        filesOf({ 'web.yaml': deployment('web').replace('apps/v1', kind) }),
      );
    expect(on('apps/v1')).toEqual([]);
    expect(on('extensions/v1beta1').join()).toContain('1.32');
    expect(on('extensions/v1beta1', '    kubernetes: 1.32.8\n').join()).toContain('extensions/v1beta1');
  });

  test('that it has nothing to apply, or a file that is not there', () => {
    expect(said(one('namespace: a'), {}).join()).toContain('this CNF has nothing to apply');
    const missing = new Map([['web.yaml', { ok: false, failure: 'there is no file web.yaml' } as const]]);
    expect(allSaid(definitionWith(one('manifests: [web.yaml]')), missing).join()).toContain(
      'there is no file web.yaml',
    );
    const none = new Map([['web/*.yaml', ok('')]]);
    expect(allSaid(definitionWith(one("manifests: ['web/*.yaml']")), none).join()).toContain(
      'there is no file web/*.yaml',
    );
  });

  test('a wildcard in a folder', () => {
    expect(said(one("manifests: ['*/web.yaml']"), web).join()).toContain('wildcard in the name of a folder');
  });

  test('a kind that the version does not know, unless it is marked as custom', () => {
    const claim = 'apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: { name: a }\n';
    const before = said(one('manifests: [web.yaml]'), { 'web.yaml': claim }, { version: '1.33.9' });
    expect(before.join()).toContain(
      'web.yaml:1:1: ResourceClaim of resource.k8s.io/v1 comes with Kubernetes 1.34; the cluster has 1.33.9',
    );
    const own = 'apiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: { name: a }\n';
    expect(from('', { 'web.yaml': own })).toContain(
      'customKinds: [{ apiVersion: cert-manager.io/v1, kind: Certificate }]',
    );
    expect(
      from(', customKinds: [{ apiVersion: cert-manager.io/v1, kind: Certificate }]', { 'web.yaml': own }),
    ).toBe('');
  });

  test('an object of the whole cluster, also out of a List', () => {
    const role =
      'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRoleList\nitems: [{ metadata: { name: all } }]\n';
    expect(from('', { 'web.yaml': role })).toContain(
      'web.yaml:3:9: ClusterRole all belongs to the whole cluster, which no tenant may change',
    );
  });

  test('a Namespace that is another one', () => {
    const space = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: tenant-b }\n';
    expect(from('', { 'web.yaml': space })).toContain(
      'the Namespace tenant-b is not the one of this CNF, tenant-a',
    );
  });

  test('the same object twice, in one CNF and in two of one namespace, and the tenant itself', () => {
    expect(from('', { 'web.yaml': `${web['web.yaml']}---\n${web['web.yaml']}` })).toContain(
      'Deployment web (web.yaml:11:1) is in the namespace tenant-a already: Deployment web (web.yaml:1:1)',
    );
    const two = `cnfs:\n  - { name: a, namespace: x, manifests: [web.yaml] }\n  - { name: b, namespace: x, manifests: [web.yaml] }\n`;
    expect(said(two, web).join()).toContain('Deployment web (web.yaml:1:1) is in the namespace x already');
    expect(said(two.replace('namespace: x', 'namespace: y'), web)).toEqual([]);
    const account = 'apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: web }\n';
    expect(from('', { 'web.yaml': account })).toContain('is the tenant of web, whom the definition makes');
  });

  test('not objects of one kind and name in two groups of the API', () => {
    const route = (group: string): string =>
      `apiVersion: ${group}/v1\nkind: Service\nmetadata: { name: web }\n`;
    const kinds =
      ', customKinds: [{ apiVersion: serving.knative.dev/v1, kind: Service }, { apiVersion: a.b/v1, kind: ServiceAccount }]';
    const texts = {
      'web.yaml': `${route('serving.knative.dev')}---\napiVersion: v1\nkind: Service\nmetadata: { name: web }\n---\n${route('a.b').replace('Service', 'ServiceAccount')}`,
    };
    expect(from(kinds, texts)).toBe('');
  });

  test('what is scaled, waited for or published and not there', () => {
    expect(from(', scaling: [{ aspect: a, kind: Deployment, name: wbe, maximum: 3 }]')).toContain(
      'has a Deployment wbe → web',
    );
    expect(from(', scaling: [{ aspect: a, kind: Deployment, name: web, minimum: 5, maximum: 3 }]')).toContain(
      'the most replicas are fewer than the fewest',
    );
    expect(from(', wait: { conditions: [{ kind: Service, name: web, condition: Ready }] }')).toContain(
      'no manifest of this CNF has a Service web',
    );
    expect(from(', publish: [{ service: web, port: 80 }]')).toContain(
      'nothing outside the cluster publishes Services',
    );
  });

  test('two who scale the same', () => {
    const scaler = `${web['web.yaml']}---\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: { name: auto }\nspec: { scaleTargetRef: { kind: Deployment, name: web } }\n`;
    expect(
      from(', scaling: [{ aspect: a, kind: Deployment, name: web, maximum: 3 }]', { 'web.yaml': scaler }),
    ).toContain('the HorizontalPodAutoscaler auto (web.yaml:11:1) scales it already');
    const [cnf] = clusterWith(one('namespace: a, manifests: [web.yaml]'), { 'web.yaml': scaler }).cnfs.all;
    expect(cnf?.objects.find(({ kind }) => kind === 'Deployment')?.['spec']).not.toHaveProperty('replicas');
  });

  test('a tenant that is administrator and ordinary user at once', () => {
    const rules = 'rules: [{ apiGroups: [""], resources: [pods], verbs: [get] }]';
    expect(from(`, tenant: { clusterRole: admin, ${rules} }`)).toContain('one of the two');
  });

  test('a policy that the pod network does not enforce, and a Secret that everybody reads, are warnings', () => {
    const policy = one('namespace: a, manifests: [web.yaml], networkPolicy: { deny: [ingress] }');
    expect(said(policy, web, { plugin: 'static-routes' }).join()).toMatch(
      /^warning .*static-routes enforces no NetworkPolicy/,
    );
    const secret = 'apiVersion: v1\nkind: Secret\nmetadata: { name: a }\n';
    expect(from('', { 'web.yaml': secret })).toMatch(
      /^warning .*whoever reads the bundle reads what is in it/,
    );
  });

  test('a hook of helm; what tests a chart is left out', () => {
    const hooked = (word: string): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: a, annotations: { helm.sh/hook: ${word} } }\n`;
    expect(from('', { 'web.yaml': hooked('pre-install') })).toContain(
      'Pod a is a hook of helm (pre-install)',
    );
    expect(from('', { 'web.yaml': hooked('test') })).toBe('');
  });

  test.each(['{{ lookup }}', 'a;b', '../x'])('the name %j', (name) => {
    expect(said(`cnfs:\n  - { name: ${JSON.stringify(name)}, manifests: [web.yaml] }\n`, web)).not.toEqual(
      [],
    );
  });
});

describe('the objects of a CNF', () => {
  const { cnfs } = clusterWith(
    one(`namespace: tenant-a, manifests: [web.yaml], labels: { team: a }, quota: { pods: "3" }, limits: { default: { memory: 64Mi } },
      networkPolicy: { deny: [ingress, egress], allow: [{ direction: ingress, cidr: 192.0.2.0/24, ports: ["80", "53/UDP"] }, { direction: egress, namespace: x }] },
      persistentVolumeClaims: [{ name: data, storage: 1Gi, accessModes: [ReadWriteMany], storageClass: "" }]`),
    { 'web.yaml': `${deployment('web')}---\n${configMap('settings', '"{{ x }}"')}` },
  );
  const [cnf] = cnfs.all;

  test('come in the order in which they need each other', () => {
    expect(cnf?.objects.map(({ kind }) => kind)).toEqual([
      'ConfigMap',
      'PersistentVolumeClaim',
      'Deployment',
    ]);
  });

  test('stand in a frame that the administrator makes', () => {
    expect(cnf?.frame.map(({ kind }) => kind)).toEqual([
      'Namespace',
      'ServiceAccount',
      'RoleBinding',
      'ResourceQuota',
      'LimitRange',
      'NetworkPolicy',
    ]);
    expect(cnf?.frame[0]?.['metadata']).toEqual({ name: 'tenant-a', labels: { team: 'a' } });
    expect(cnf?.frame[2]).toMatchObject({
      roleRef: { kind: 'ClusterRole', name: 'admin' },
      subjects: [{ kind: 'ServiceAccount', name: 'web', namespace: 'tenant-a' }],
    });
    expect(cnf?.frame.at(-1)?.['spec']).toEqual({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        {
          from: [{ ipBlock: { cidr: '192.0.2.0/24' } }],
          ports: [
            { protocol: 'TCP', port: 80 },
            { protocol: 'UDP', port: 53 },
          ],
        },
      ],
      egress: [{ to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'x' } } }] }],
    });
  });

  test('are those of an ordinary user where rules say so', () => {
    const rules = '[{ apiGroups: [apps], resources: [deployments], verbs: [get, create] }]';
    const [ordinary] = clusterWith(
      one(`namespace: a, manifests: [web.yaml], tenant: { serviceAccount: bob, rules: ${rules} }`),
      {
        'web.yaml': deployment('web'),
      },
    ).cnfs.all;
    expect(ordinary?.frame.map(({ kind }) => kind)).toEqual([
      'Namespace',
      'ServiceAccount',
      'Role',
      'RoleBinding',
    ]);
    expect(ordinary?.frame.at(-1)).toMatchObject({
      roleRef: { kind: 'Role', name: 'cnf-web' },
      subjects: [{ name: 'bob' }],
    });
  });

  test('are balanced outside where they are published', () => {
    const service =
      'apiVersion: v1\nkind: Service\nmetadata: { name: web }\nspec: { type: NodePort, ports: [{ port: 80, nodePort: 30080 }] }\n';
    const hosts = `hosts:\n  - { name: elb01, address: 198.51.100.11, ssh: { hostKey: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDzwNTPVr6c9OMaqOA85XIpKVDivvMvtpBo+JU2H5REO } }\nexternalLoadBalancer: { hosts: [elb01] }\n`;
    const text = `${hosts}${one('namespace: tenant-a, manifests: [web.yaml], publish: [{ service: web, servicePort: 80, port: 8080 }]')}`;
    const { externalLoadBalancer } = clusterWith(text, { 'web.yaml': service });
    expect(externalLoadBalancer.services).toMatchObject([
      { namespace: 'tenant-a', name: 'web', servicePort: 80, port: 8080, nodePort: 30080, lookUp: false },
    ]);
    const workerless = definitionWith(text, {}).replace('[control-plane, worker]', '[control-plane]');
    expect(allSaid(workerless, filesOf({ 'web.yaml': service })).join()).toContain(
      'no node is a worker, so nothing would answer → the Service in `externalLoadBalancer.services`',
    );
  });
});
