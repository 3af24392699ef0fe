import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readServices } from '../../../../generators/definition/manifests/services.ts';

const service = (spec: string, metadata = 'name: web'): string => `apiVersion: v1
kind: Service
metadata: { ${metadata} }
spec:
${spec.replaceAll(/^/gm, '  ')}
`;

const read = (text: string): ReturnType<typeof readServices> => readServices(text, 'web.yaml');

/** Place, fault and correction in one line. */
const problems = (text: string): string[] =>
  read(text).problems.map(({ place, wrong, right }) => `${place}: ${wrong} → ${right}`);

describe('a manifest is read as kubectl reads it', () => {
  const ports = (text: string): readonly string[] =>
    read(text).ports.map(({ name, port, nodePort }) => `${name} ${port} ${nodePort}`);

  test('with octal numbers', () => {
    expect(ports(service('type: NodePort\nports: [{ port: 0120, nodePort: 030_000 }]'))).toEqual([
      'web 80 12288',
    ]);
  });

  test('with what is merged in', () => {
    const text = `apiVersion: v1
kind: Service
x-common: &common { type: NodePort }
metadata: { name: web }
spec:
  <<: *common
  ports: [{ port: 80, nodePort: 30080 }]
`;
    expect(ports(text)).toEqual(['web 80 30080']);
  });

  test('with items of a ServiceList, which do not say their kind', () => {
    const text = `apiVersion: v1
kind: ServiceList
items:
  - metadata: { name: web }
    spec: { type: NodePort, ports: [{ port: 80, nodePort: 30080 }] }
`;
    expect(ports(text)).toEqual(['web 80 30080']);
  });

  test('without Services that are not those of Kubernetes', () => {
    const foreign = service('type: NodePort\nports: [{ port: 80 }]').replace(
      'apiVersion: v1',
      'apiVersion: example.org/v1',
    );
    expect(ports(foreign)).toEqual([]);
  });
});

describe('a manifest', () => {
  test('gives the TCP ports of Services that have node ports, fixed or not', () => {
    const text = [
      service('type: NodePort\nports:\n  - { port: 80, nodePort: 30080 }\n  - { name: more, port: 443 }'),
      service(
        'type: LoadBalancer\nexternalTrafficPolicy: Local\nhealthCheckNodePort: 31000\nports: [{ port: 5060, protocol: TCP }]',
        'name: sip, namespace: tenant-a',
      ),
    ].join('---\n');
    const web = {
      namespace: 'default',
      name: 'web',
      type: 'NodePort',
      externalTrafficPolicy: 'Cluster',
      healthCheckNodePort: 0,
    };
    expect(read(text)).toEqual({
      ports: [
        { ...web, port: 80, nodePort: 30080 },
        { ...web, port: 443, nodePort: 0 },
        {
          namespace: 'tenant-a',
          name: 'sip',
          type: 'LoadBalancer',
          externalTrafficPolicy: 'Local',
          healthCheckNodePort: 31000,
          port: 5060,
          nodePort: 0,
        },
      ],
      problems: [],
    });
  });

  test('may hold a List, as kubectl writes it, and JSON', () => {
    const item = {
      kind: 'Service',
      metadata: { name: 'web' },
      spec: { type: 'NodePort', ports: [{ port: 80 }] },
    };
    expect(read(JSON.stringify({ kind: 'List', items: [item, 7, null] })).ports).toMatchObject([
      { name: 'web', port: 80 },
    ]);
  });

  test.each([
    ['a Service inside the cluster', service('ports: [{ port: 80 }]')],
    ['a name outside it', service('type: ExternalName\nexternalName: example.org')],
    ['something else', 'kind: Deployment\nmetadata: { name: web }\nspec: { type: NodePort }\n'],
    ['nothing', ''],
    ['comments', '# nothing\n---\n# still nothing\n'],
    ['a text', 'hello\n'],
  ])('with %s gives none', (_what, text) => {
    expect(read(text)).toEqual({ ports: [], problems: [] });
  });

  test.each(['UDP', 'SCTP'])('with %s says where, and why it is refused', (protocol) => {
    const text = service(`type: NodePort\nports:\n  - port: 53\n    protocol: ${protocol}`);
    expect(problems(text)).toEqual([
      `web.yaml:8:17: ${protocol} of web cannot be balanced: HAProxy takes connections, and only those of TCP → TCP; other protocols reach the nodes without this load balancer, and their services are left out here`,
    ]);
  });

  test('with what is no port says where', () => {
    expect(
      problems(service('type: NodePort\nports:\n  - port: "80"\n  - { port: 81, nodePort: 99999 }')),
    ).toEqual([
      'web.yaml:7:13: a port of the Service web is no port → port: 80',
      'web.yaml:8:29: a nodePort of the Service web is no port → nodePort: 30080, or none: the cluster gives one',
    ]);
  });

  test('without node ports, without a name, or that is no YAML says so', () => {
    expect(
      problems(service('type: LoadBalancer\nallocateLoadBalancerNodePorts: false\nports: [{ port: 80 }]')),
    ).toEqual([
      'web.yaml:6:34: without node ports there is nothing that a load balancer outside the cluster could reach → remove allocateLoadBalancerNodePorts',
    ]);
    expect(problems(service('type: NodePort\nports: [{ port: 80 }]', 'name: Web_1'))[0]).toContain(
      'web.yaml:3:19:',
    );
    expect(problems('a: b: c\n')).toEqual(['web.yaml:1:4: this is not YAML → what `kubectl apply` takes']);
  });

  test('is never shown, whatever is wrong with it', () => {
    const text = 'kind: Secret\nstringData: { password: hunter2\n---\n- a: *hunter2\n';
    expect(JSON.stringify(read(text))).not.toContain('hunter2');
  });

  test('of any text at all is survived', () => {
    const parts = [
      'kind: Service\n',
      'spec:\n',
      '  type: NodePort\n',
      '  ports:\n',
      '  - ',
      'port: 80\n',
      '&a ',
      '*a\n',
      '---\n',
      '{',
      '[',
      '\n',
    ];
    const text = fc
      .array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit: 'binary', maxLength: 6 })), {
        maxLength: 20,
      })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, (each) => {
        for (const { port, nodePort } of read(each).ports) expect(port + nodePort).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });
});
