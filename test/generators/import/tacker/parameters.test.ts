import { describe, expect, test } from 'vitest';
import { importTacker } from '../../../../generators/import/tacker/index.ts';
import { clusterOf, fixtures, refusal, wishing } from '../../../support/definitions/imports.ts';

/** The request with something else in the place of a text. */
function changed(from: string | RegExp, to: string) {
  const [request, heat] = fixtures('tacker/kubespray/request.json', 'tacker/kubespray/heat.json');
  if (request === undefined || heat === undefined) throw new Error('these fixtures are there');
  const text = request.text.replace(from, to);
  expect(text).not.toBe(request.text);
  return [{ ...request, text }, heat];
}
const fixing = wishing({ fix: true });

describe('a parameter of another shape than the drivers read', () => {
  test.each([
    [/"pod_cidr": "[^"]*"/, '"pod_cidr": ["10.244.0.0/16"]', '`pod_cidr` is a list'],
    [/"http_proxy": "[^"]*"/, '"http_proxy": ["http://x"]', '`http_proxy` is a list'],
    [/"vim_name": "[^"]*"/, '"vim_name": {}', '`vim_name` is a mapping'],
    [
      /"vim_name": "[^"]*"/,
      '"private_registry_connection_info": [{ "connection_type": "7", "server": "r.example.org" }]',
      'a connection_type is 0 (HTTP) or 1 (HTTPS)',
    ],
    [/"vim_name": "[^"]*"/, '"storage_server": "x"', '`storage_server` is a single value'],
    [/"ip_address": "[^"]*"/, '"ip_address": ["192.0.2.1"]', '`ip_address` is a list'],
  ])('%s as %s is refused', (from, to, message) => {
    const texts = changed(from, to);
    expect(refusal(importTacker(texts, fixing), texts)).toContain(message);
  });
});

test('a user that is none is a problem where it was said, not at the machine', () => {
  const texts = changed(/("worker_node": \{[^}]*"username": )"[^"]*"/, '$1"u u"');
  expect(refusal(importTacker(texts, fixing), texts)).toMatch(
    /request\.json:\d+:\d+: "u u" is not a name of a user/,
  );
});

test("the request of a registry's VNF is told from that of a cluster", () => {
  const texts = [
    {
      file: 'r.json',
      text: '{ "flavourId": "simple", "additionalParams": { "private_registry_installation_param": { "ssh_cp_name": "CP1" } } }',
    },
  ];
  expect(refusal(importTacker(texts, fixing), texts)).toContain(
    'this request makes the VNF of a private registry',
  );
});

test('the tag is that of the driver, with Docker and its member of etcd, or what the path says', () => {
  const texts = fixtures('tacker/kubespray/request.json', 'tacker/kubespray/heat.json');
  expect(clusterOf(importTacker(texts, fixing)).kubespray).toMatchObject({
    ...{ version: 'v2.16.0', containerManager: 'docker', etcdMembers: { master228: 'etcd1' } },
  });
  const newer = changed(/"kubespray_root_path": "[^"]*"/, '"kubespray_root_path": "/opt/kubespray-2.28.1"');
  expect(clusterOf(importTacker(newer, fixing)).kubespray).toMatchObject({
    version: 'v2.28.1',
    containerManager: 'containerd',
  });
});

/** What is told of the cluster of the fixtures where one of its texts says something else. */
function doubtsWhere(name: 'instance' | 'heat' | 'servers', from: string | RegExp, to: string): string {
  const files = name === 'servers' ? ['request', 'servers'] : ['request', 'heat', 'instance'];
  const texts = fixtures(...files.map((file) => `tacker/kubespray/${file}.json`)).map((each) =>
    each.file.endsWith(`/${name}.json`) ? { ...each, text: each.text.replace(from, to) } : each,
  );
  expect(texts).not.toEqual(fixtures(...files.map((file) => `tacker/kubespray/${file}.json`)));
  const imported = importTacker(texts, wishing({ fix: true, kubernetes: '1.37.2' }));
  const problems = imported.ok ? imported.value.warnings : imported.failure.problems;
  return problems.map(({ message }) => message).join('\n');
}
const worker = '66901501-9540-5438-95ec-847455e77ee7';

describe('a cloud that is not whole is told', () => {
  test('a resource of Heat that failed', () => {
    expect(doubtsWhere('heat', 'CREATE_COMPLETE', 'CREATE_FAILED')).toContain(
      "Heat's resource master_instance is CREATE_FAILED",
    );
  });

  test('a server that Heat alone has, and one that the instance alone has', () => {
    const other = worker.replace(/^66/, '77');
    const told = doubtsWhere('instance', worker, other);
    expect(told).toContain(
      `Heat has the server ${worker}, which is no VNFC of the instance, so it becomes no machine`,
    );
    expect(told).toContain(`the server ${other} of this VNFC is not among the resources of Heat`);
  });

  test('an aspect whose level is beyond its VNFCs', () => {
    expect(doubtsWhere('instance', /"scaleLevel": \d+/, '"scaleLevel": 5')).toContain(
      'the aspect worker_instance has the level 5, and the instance 2 VNFCs of it',
    );
  });

  test('which network of a server in several was taken', () => {
    const more = '$1: "$2; storage=10.99.0.5"';
    expect(doubtsWhere('servers', /("networks"): "([^"]*)"/gi, more)).toContain(
      'this server is in 2 networks',
    );
  });
});
