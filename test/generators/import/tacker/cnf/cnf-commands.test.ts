import { describe, expect, test } from 'vitest';
import { readJson } from '../../../../../generators/source/foreign/json.ts';
import { readDocuments } from '../../../../../generators/import/tacker/documents.ts';
import { commandsFor } from '../../../../../generators/import/tacker/operation.ts';
import { importTacker } from '../../../../../generators/import/tacker/index.ts';
import { fixtures, wishing } from '../../../../support/definitions/imports.ts';
import { clusterWith, deployment } from '../../../../support/definitions/cnfs.ts';

const cluster = clusterWith(
  `cnfs:
  - { name: web, namespace: tenant-a, manifests: [web.yaml], scaling: [{ aspect: vdu1_aspect, kind: Deployment, name: web, maximum: 5 }] }
  - { name: db, namespace: tenant-b, manifests: [db.yaml] }
  - { name: cache, namespace: tenant-b, manifests: [cache.yaml] }
`,
  { 'web.yaml': deployment('web'), 'db.yaml': deployment('db'), 'cache.yaml': deployment('cache') },
);

function asked(request: object, instance?: object, of = cluster): readonly string[] {
  const operation = readJson({ file: 'operation.json', text: JSON.stringify(request) });
  const documents = readDocuments(
    instance ? [{ file: 'instance.json', text: JSON.stringify(instance) }] : [],
  );
  if (!operation.ok || !documents.ok) throw new Error('unreadable');
  const found = commandsFor(operation.value, documents.value, of);
  return found.ok
    ? [...found.value.commands, ...found.value.notes]
    : found.failure.map(({ message }) => message);
}

const instance = (namespace: string, ...pods: readonly string[]): object => ({
  instantiationState: 'INSTANTIATED',
  metadata: { namespace, tenant: namespace },
  instantiatedVnfInfo: {
    vnfcResourceInfo: pods.map((pod, index) => ({
      id: `id-${index}`,
      computeResource: { vimLevelResourceType: 'Deployment', resourceId: pod },
    })),
  },
});

const echo = clusterWith(
  `cnfs:
  - { name: echo, namespace: tenant-a, manifests: [echo.yaml], scaling: [{ aspect: echo, kind: Deployment, name: echo, maximum: 3 }] }
  - { name: other, namespace: tenant-a, manifests: [other.yaml] }
`,
  { 'echo.yaml': deployment('echo'), 'other.yaml': deployment('other') },
);

/** The commands for what Tacker itself said. */
function translated(operation: string, ...others: readonly string[]): readonly string[] {
  const [request] = fixtures(`tacker/cnf/${operation}.json`);
  const read = request && readJson(request);
  const documents = readDocuments(fixtures(...others.map((name) => `tacker/cnf/${name}.json`)));
  if (!read?.ok || !documents.ok) throw new Error(`${operation} cannot be read`);
  const found = commandsFor(read.value, documents.value, echo);
  return found.ok ? found.value.commands : found.failure.map(({ message }) => message);
}

/** The pod of the VNFC that the heal request names. */
function podOf(version: string): string {
  const [heal, instance] = fixtures(
    ...['heal', 'instance'].map((name) => `tacker/cnf/${version}/${name}.json`),
  );
  const { vnfcInstanceId } = JSON.parse(heal?.text ?? '') as { readonly vnfcInstanceId: readonly string[] };
  const { instantiatedVnfInfo } = JSON.parse(instance?.text ?? '') as {
    readonly instantiatedVnfInfo: VnfInfo;
  };
  const id = vnfcInstanceId[0] ?? '';
  const found = instantiatedVnfInfo.vnfcResourceInfo.find((each) => id.endsWith(each.id));
  return found?.computeResource.resourceId ?? '';
}

interface VnfInfo {
  readonly vnfcResourceInfo: readonly {
    readonly id: string;
    readonly computeResource: { readonly resourceId: string };
  }[];
}

describe.each(['v1', 'v2'])('what Tacker itself says of a CNF, by its API %s', (version) => {
  const from = (operation: string, ...others: readonly string[]): readonly string[] =>
    translated(`${version}/${operation}`, ...others.map((name) => `${version}/${name}`));

  test('is instantiated by the request, by the record of the operation, and by the instance', () => {
    for (const operation of ['instantiate', 'instantiated-record'])
      expect(from(operation)).toEqual(['npx task cnf-instantiate echo']);
    expect(from('instance')).toEqual([expect.stringMatching(/^npx task cnf-instantiate echo(?:-[ab])?$/)]);
  });

  test('is scaled', () => {
    expect(from('scale-out', 'instance')).toEqual(['npx task cnf-scale echo --aspect echo --out 1']);
    expect(from('scale-in-record', 'instance')).toEqual(['npx task cnf-scale echo --aspect echo --in 1']);
  });

  test('is healed by the pod that the VNFC is', () => {
    const command = `npx task cnf-heal echo --pod ${podOf(version)}`;
    expect(from('heal', 'instance')).toEqual([command]);
    expect(from('heal-record', 'instance')).toEqual([command]);
  });

  test('is terminated', () => {
    expect(from('terminate', 'instance')).toEqual(['npx task cnf-terminate echo --confirm echo']);
  });

  test('makes no cluster', () => {
    const found = importTacker(fixtures(`tacker/cnf/${version}/instance.json`), wishing());
    expect(found.ok ? [] : found.failure.problems.map(({ message }) => message)).toEqual([
      'this instance is a CNF on a cluster; it makes no cluster',
    ]);
  });
});

describe("Tacker's requests about CNFs", () => {
  test('are written into the definition when they instantiate one, by manifests', () => {
    const request = {
      flavourId: 'simple',
      additionalParams: {
        'lcm-kubernetes-def-files': ['Files/kubernetes/pod.yaml'],
        namespace: 'namespace-a',
      },
    };
    expect(asked(request).slice(0, 5)).toEqual([
      'npx task cnf-instantiate pod',
      'first write into the definition, below `cnfs`, paths being those of the VNF package beside it:',
      '  - name: pod',
      '    namespace: namespace-a',
      '    manifests: ["Files/kubernetes/pod.yaml"]',
    ]);
  });

  test('bring charts of either API', () => {
    const first = {
      flavourId: 'helmchart',
      additionalParams: {
        use_helm: 'true',
        using_helm_install_param: [
          {
            exthelmchart: 'false',
            helmchartfile_path: 'Files/local-0.1.0.tgz',
            helmreleasename: 'local',
            helmparameter: ['service.port=8081'],
          },
          { exthelmchart: 'true', helmreleasename: 'ext', helmchartname: 'apache' },
        ],
      },
    };
    const said = asked(first).join('\n');
    expect(said).toContain(
      '- chart: "Files/local-0.1.0.tgz"\n        release: local\n        set: ["service.port=8081"]',
    );
    expect(said).toContain('the chart apache is in a repository');
    const second = {
      flavourId: 'f',
      additionalParams: { helm_chart_path: 'Files/c.tgz', helm_parameters: { 'service.port': 8081 } },
    };
    expect(asked(second).join('\n')).toContain('- chart: "Files/c.tgz"\n        set: ["service.port=8081"]');
  });

  test('scale by the aspect that a CNF has, out, in and to a level', () => {
    expect(asked({ type: 'SCALE_OUT', aspectId: 'vdu1_aspect', numberOfSteps: 2 })).toEqual([
      'npx task cnf-scale web --aspect vdu1_aspect --out 2',
    ]);
    expect(asked({ type: 'SCALE_IN', aspectId: 'vdu1_aspect' })).toEqual([
      'npx task cnf-scale web --aspect vdu1_aspect --in 1',
    ]);
    expect(asked({ scaleInfo: [{ aspectId: 'vdu1_aspect', scaleLevel: '3' }] })).toEqual([
      'npx task cnf-scale web --aspect vdu1_aspect --level 3',
    ]);
    expect(asked({ scaleInfo: [{ aspectId: 'other', scaleLevel: '3' }] }).join()).toContain(
      'has this aspect',
    );
    expect(asked({ type: 'SIDEWAYS', aspectId: 'vdu1_aspect' }).join()).toContain('is wrong');
  });

  test('heal the pods of VNFCs, or the whole', () => {
    const web = instance('tenant-a', 'web-abc-1', 'web-abc-2');
    expect(asked({ vnfcInstanceId: ['id-1'] }, web)[0]).toBe('npx task cnf-heal web --pod web-abc-2');
    expect(asked({ vnfcInstanceId: ['id-1'], additionalParams: { all: true } }, web)[0]).toBe(
      'npx task cnf-heal web --pod web-abc-2',
    );
    expect(asked({}, web)[0]).toBe('npx task cnf-heal web');
    expect(asked({ extVirtualLinks: [] }, web)[0]).toContain('ChangeExtVnfConnectivityRequest');
    expect(asked({ additionalParams: { all: true } }, web)[0]).toBe('npx task cnf-heal web');
    expect(asked({ vnfcInstanceId: [] }, web)).toEqual(['vnfcInstanceId names nothing']);
    expect(asked({ vnfcInstanceId: ['id-9'] }, web).join()).toContain('has no VNFC id-9');
  });

  test('terminate and update the CNF that the instance is, by its namespace and its pods', () => {
    expect(asked({ terminationType: 'FORCEFUL' }, instance('tenant-b', 'cache-x'))[0]).toBe(
      'npx task cnf-terminate cache --confirm cache',
    );
    expect(asked({ terminationType: 'GRACEFUL' }, instance('tenant-b', 'strange')).join()).toContain(
      'db or cache',
    );
    expect(asked({ terminationType: 'GRACEFUL' }, instance('none', 'x')).join()).toContain(
      'no CNF of the definition lives in none',
    );
    const change = { vnfdId: 'x', additionalParams: { 'lcm-kubernetes-def-files': ['new.yaml'] } };
    expect(asked(change, instance('tenant-a', 'web-1')).slice(0, 2)).toEqual([
      'npx task cnf-update web',
      'first let web have what the new package has:',
    ]);
  });
});

test('a CNF whose pods the instance does not have is not meant, though nothing else lives in its namespace', () => {
  const other = instance('tenant-a', 'api-7c9f-x');
  for (const request of [{ terminationType: 'FORCEFUL' }, { cause: 'x' }])
    expect(asked(request, other)).toEqual(['the pods of this instance are of another CNF than web']);
});

test('of several CNFs with one aspect the namespace of the instance tells which goes to a level', () => {
  const scaling = (name: string): string =>
    `scaling: [{ aspect: one, kind: Deployment, name: ${name}, maximum: 5 }]`;
  const two = clusterWith(
    `cnfs:
  - { name: web, namespace: tenant-a, manifests: [web.yaml], ${scaling('web')} }
  - { name: db, namespace: tenant-b, manifests: [db.yaml], ${scaling('db')} }
`,
    { 'web.yaml': deployment('web'), 'db.yaml': deployment('db') },
  );
  const request = { scaleInfo: [{ aspectId: 'one', scaleLevel: '2' }] };
  expect(asked(request, undefined, two)).toEqual(['several CNFs have the aspect one']);
  expect(asked(request, instance('tenant-b', 'db-x'), two)).toEqual([
    'npx task cnf-scale db --aspect one --level 2',
  ]);
});

describe('parameters of charts', () => {
  const second = {
    flavourId: 'simple',
    additionalParams: {
      namespace: '123',
      helm_chart_path: 'Files/mysql.tgz',
      helm_parameters: {
        'auth.rootPassword': 'canary1',
        'auth.existingSecret': 'mysql-login',
        'service.port': 8081,
      },
    },
  };
  const first = {
    flavourId: 'simple',
    additionalParams: {
      using_helm_install_param: [
        { exthelmchart: 'true', helmchartname: 'apache', helmparameter: ['a=1', 'token=canary2'] },
      ],
    },
  };

  test('that are secret are not printed, and said', () => {
    const said = asked(second).join('\n');
    expect(said).toContain('set: ["auth.existingSecret=mysql-login", "service.port=8081"]');
    expect(said).toContain('auth.rootPassword is left out, since its value is a secret');
    expect(asked(first).join('\n')).toContain('token is left out');
    expect(`${said}${asked(first).join()}`).not.toContain('canary');
  });

  test('that hold others become values, without their secrets', () => {
    const nested = {
      flavourId: 'simple',
      additionalParams: {
        helm_chart_path: 'Files/web.tgz',
        helm_parameters: {
          replicas: 2,
          service: { port: '8081', type: 'NodePort', annotations: { 'example.org/a': 'b' } },
          'service.extra': { on: true },
          hosts: ['a.example.org', 'b.example.org'],
          auth: { user: 'web', password: 'canary1', tokens: ['canary2'] },
          'tokens.ci': { one: 'canary5' },
          passwords: { web: 'canary3', more: [{ value: 'canary4' }], generate: true },
        },
      },
    };
    const said = asked(nested).join('\n');
    const values = {
      service: { port: '8081', type: 'NodePort', annotations: { 'example.org/a': 'b' }, extra: { on: true } },
      hosts: ['a.example.org', 'b.example.org'],
      auth: { user: 'web', tokens: [] },
      tokens: { ci: {} },
      passwords: { more: [{}], generate: true },
    };
    expect(said).toContain(`        values: ${JSON.stringify(values)}\n        set: ["replicas=2"]`);
    expect(said).toContain('auth.password is left out');
    expect(said).toContain('auth.tokens[0] is left out');
    expect(said).toContain('passwords.more[0].value is left out');
    expect(said).not.toContain('canary');
  });

  test('stand beside a namespace that reads as one', () => {
    expect(asked(second)).toContain('    namespace: "123"');
  });
});
