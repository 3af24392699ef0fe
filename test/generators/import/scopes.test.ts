import { describe, expect, test } from 'vitest';
import { importAnsible, importKubespray } from '../../../generators/import/inventory/index.ts';
import { render } from '../../../generators/render.ts';
import { clusterOf, fixtures, made, refusal, wishing } from '../../support/definitions/imports.ts';
import { templates } from '../../support/definitions/templates.ts';

const inventory = (...lines: readonly string[]) => [{ file: 'hosts.ini', text: `${lines.join('\n')}\n` }];
const groups = [
  '[kube_control_plane]',
  'n1',
  '[etcd]',
  'n1',
  '[kube_node]',
  'n2',
  '[all:vars]',
  'ansible_user=ops',
];

describe('variables of groups and machines', () => {
  const imported = importKubespray(fixtures('kubespray/scopes'), wishing());
  const cluster = clusterOf(imported);
  const { kubespray } = cluster;

  test('stay where they belong', () => {
    expect(kubespray.hostVariables).toEqual({
      n1: { kubelet_max_pods: 50 },
      n2: { kubelet_max_pods: 250 },
      n5: { nvidia_accelerator_enabled: true },
    });
    expect(kubespray.groupVariables).toEqual({
      kube_control_plane: { kube_read_only_port: 2 },
      kube_node: { kube_read_only_port: 1 },
    });
    const files = render(cluster, templates);
    const file = (path: string): string =>
      files.find((each) => each.path === `kubespray/${path}`)?.text ?? '';
    expect(file('host_vars/n2.yml')).toContain('kubelet_max_pods: 250');
    expect(file('group_vars/kube_node/extra.yml')).toContain('kube_read_only_port: 1');
  });

  test('are passed on although their names sound like secrets: encryption at rest stays on', () => {
    expect(kubespray.variables).toMatchObject({
      kube_encrypt_secret_data: true,
      kube_encryption_algorithm: 'secretbox',
      kube_webhook_token_auth: true,
    });
  });

  test('keep kube-vip, which holds the address', () => {
    expect(kubespray.variables).toMatchObject({ kube_vip_enabled: true, kube_vip_address: '10.3.0.80' });
    expect(cluster.endpoint).toMatchObject({ address: '10.3.0.80', placement: 'external' });
  });

  test('are listed with their places where no key says them, without secrets', () => {
    const { text, leftOver } = made(imported);
    const paths = leftOver.map(({ path, line }) => `${path}:${line}`);
    expect(paths).toEqual(
      expect.arrayContaining([
        'all.ansible_python_interpreter:2',
        'n2.access_ip:5',
        'n4.ansible_ssh_common_args:7',
        'n4.kube_pods_subnet:7',
        'n5.node_taints[]:8',
        'bastion.colour:9',
        'all.loadbalancer_apiserver.colour:1',
        'all.kube_api_pwd:15',
      ]),
    );
    expect(text).toContain(
      'all.kube_api_pwd (kubespray/scopes/group_vars/all/all.yml:15:15): "(left out; 11 characters)"',
    );
    expect(text).not.toContain('canary');
  });

  test('of both lists of what goes past the proxy come together', () => {
    expect(cluster.proxy.noProxy).toEqual(['.first.example.org', '.second.example.org']);
  });
});

test("kubespray's own balancer on every node is imported, and stays", () => {
  const text = inventory(
    ...['[kube_control_plane]', 'n1 ip=10.3.0.1', 'n2 ip=10.3.0.2', 'n3 ip=10.3.0.3'],
    ...['[etcd]', 'n1', 'n2', 'n3', '[kube_node]', 'n4 ip=10.3.0.4', '[all:vars]', 'ansible_user=ops'],
  );
  const cluster = clusterOf(importKubespray(text, wishing()));
  expect(cluster.endpoint).toMatchObject({
    address: '10.3.0.1',
    port: 6443,
    placement: 'local',
    balancers: [],
  });
  const all = render(cluster, templates).find(
    ({ path }) => path === 'kubespray/group_vars/all/all.yml',
  )?.text;
  expect(all).toContain('loadbalancer_apiserver_localhost: true');
  expect(all).not.toContain('loadbalancer_apiserver:');
  expect(made(importKubespray(text, wishing({ vip: '10.3.0.80/24' }))).assumptions).toContain(
    'each node balanced the API for itself until now; with --vip all use that address',
  );
});

const threeHeads = (...variables: readonly string[]): ReturnType<typeof inventory> =>
  inventory(
    ...['[kube_control_plane]', 'n1 ip=10.3.0.1', 'n2 ip=10.3.0.2', 'n3 ip=10.3.0.3'],
    ...['[etcd]', 'n1', 'n2', 'n3', '[kube_node]', 'n4 ip=10.3.0.4', '[all:vars]', 'ansible_user=ops'],
    ...variables,
  );

test.each(['loadbalancer_apiserver_localhost=False', 'loadbalancer_apiserver_localhost="{{ balances }}"'])(
  'nodes that had no balancer of their own are not said to have one: %s',
  (variable) => {
    const imported = made(importKubespray(threeHeads(variable), wishing()));
    const text = imported.assumptions.join('\n');
    expect(imported.leftOver.map(({ path }) => path)).toEqual(['all.loadbalancer_apiserver_localhost']);
    expect(text).not.toContain('as kubespray sets it up');
    expect(text).toContain(
      'loadbalancer_apiserver_localhost is not taken over: where it says false, nodes ask n1 alone until now; from the next run of kubespray on each balances the API for itself. --vip gives all one address',
    );
    const vip = made(importKubespray(threeHeads(variable), wishing({ vip: '10.3.0.80/24' })));
    expect(vip.assumptions.join('\n')).not.toContain('balanced the API for itself');
  },
);

test('what kubespray does by itself is taken over where it is said', () => {
  const said = 'loadbalancer_apiserver_localhost=True';
  const imported = made(importKubespray(threeHeads(said), wishing()));
  expect(imported.leftOver).toEqual([]);
  expect(imported.assumptions.join('\n')).toContain(
    'each node balances the API for itself, as kubespray sets it up',
  );
  const one = inventory(
    ...['[kube_control_plane]', 'n1 ip=10.3.0.1', '[etcd]', 'n1', '[kube_node]', 'n2 ip=10.3.0.2'],
    ...['[all:vars]', 'ansible_user=ops', said],
  );
  expect(made(importKubespray(one, wishing())).leftOver).toEqual([]);
});

test('an address for others does not take the place of the one that Ansible connects to', () => {
  const text = inventory(
    '[all]',
    'n1 ansible_host=10.3.0.1 access_ip=203.0.113.1',
    'n2 ansible_host=10.3.0.2',
    ...groups,
  );
  const imported = importKubespray(text, wishing());
  expect(clusterOf(imported).machines[0]?.address).toBe('10.3.0.1');
  expect(made(imported).leftOver.map(({ path }) => path)).toEqual(['n1.access_ip']);
});

test("kubespray's own no_floating.yml tells the jump host", () => {
  const args = `-o ProxyCommand="ssh -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -W %h:%p -q ubuntu@203.0.113.4 {% if ansible_ssh_private_key_file is defined %}-i {{ ansible_ssh_private_key_file }}{% endif %}"`;
  const texts = [
    ...inventory('[all]', 'n1 ip=10.3.0.1', 'n2 ip=10.3.0.2', '[no_floating]', 'n2', ...groups),
    { file: 'group_vars/no_floating.yml', text: `ansible_ssh_common_args: '${args}'\n` },
  ];
  expect(clusterOf(importKubespray(texts, wishing())).machines[1]?.ssh.proxyJump).toBe('ubuntu@203.0.113.4');
});

test('a port that is none is a problem', () => {
  const texts = inventory('[all]', 'n1 ip=10.3.0.1 ansible_port=abc', 'n2 ip=10.3.0.2', ...groups);
  expect(refusal(importKubespray(texts, wishing()), texts)).toContain('not a port');
});

test('a bastion may be called what it likes, since its name is written nowhere', () => {
  const texts = inventory(
    '[all]',
    'n1 ip=10.3.0.1',
    'n2 ip=10.3.0.2',
    ...groups,
    '[bastion]',
    'Bastion_1 ansible_host=203.0.113.9',
  );
  expect(clusterOf(importKubespray(texts, wishing())).machines[0]?.ssh.proxyJump).toBe('ops@203.0.113.9');
});

describe('what speaks for the cluster', () => {
  const texts = (...files: readonly (readonly [file: string, text: string])[]) => [
    ...inventory(
      ...['[all]', 'n1 ip=10.3.0.1', 'n2 ip=10.3.0.2', 'n3 ip=10.3.0.3', 'db ip=10.3.0.9'],
      ...['[kube_control_plane]', 'n1', '[etcd]', 'n1', '[kube_node]', 'n2', 'n3', '[database]', 'db'],
      ...['[all:vars]', 'ansible_user=ops'],
    ),
    ...files.map(([file, text]) => ({ file, text: `${text}\n` })),
  ];
  const keys = [
    ...['kube_network_plugin: flannel', 'kube_pods_subnet: 10.99.0.0/16', 'container_manager: crio'],
    ...['kube_apiserver_port: 7443', 'kube_version: 1.32.5', 'http_proxy: http://10.3.0.9:3128'],
    'containerd_registries_mirrors: [{ prefix: docker.io, mirrors: [{ host: "https://m.example.org" }] }]',
  ].join('\n');
  const mirrorsOf = (scope: string): readonly string[] =>
    ['prefix', 'mirrors[].host'].map((path) => `${scope}.containerd_registries_mirrors[].${path}`);
  const listed = (imported: ReturnType<typeof importKubespray>): readonly string[] =>
    made(imported)
      .leftOver.map(({ path }) => path)
      .filter((path) => path !== 'database.hosts');
  const renewal = 'auto_renew_certificates: true\nloadbalancer_apiserver: { address: 10.3.0.80 }';

  test.each(['group_vars/database.yml', 'host_vars/n1.yml', 'host_vars/n2.yml', 'group_vars/nobody.yml'])(
    'is nothing that %s says alone',
    (file) => {
      const imported = importKubespray(texts([file, keys]), wishing());
      const { kubespray, network, proxy, containerd, kubernetes } = clusterOf(imported);
      expect(kubespray).toMatchObject({ networkPlugin: 'calico', containerManager: 'containerd' });
      expect(network).toMatchObject({ podSubnets: ['10.233.64.0/18'], apiServerPort: 6443 });
      expect(proxy.http).toBe('');
      expect(containerd.registries).toEqual([]);
      expect(kubernetes.version).not.toBe('1.32.5');
      const scope = file.replace(/.*\/|\.yml$/g, '');
      expect(listed(imported)).toEqual([
        ...keys
          .split('\n')
          .map((line) => `${scope}.${line.split(':')[0] ?? ''}`)
          .slice(0, 6),
        ...mirrorsOf(scope),
      ]);
    },
  );

  test('is what all nodes say, wherever each of them says it', () => {
    const imported = importKubespray(
      texts(['host_vars/n1.yml', keys], ['group_vars/kube_node.yml', keys], ['group_vars/etcd.yml', renewal]),
      wishing(),
    );
    const { kubespray, network, proxy } = clusterOf(imported);
    expect(kubespray).toMatchObject({ networkPlugin: 'flannel', containerManager: 'crio' });
    expect(network).toMatchObject({ podSubnets: ['10.99.0.0/16'], apiServerPort: 7443 });
    expect(proxy.http).toBe('http://10.3.0.9:3128');
    // Which CRI-O does not read.
    const mirrors = ['n1', 'kube_node'].flatMap((scope) => mirrorsOf(scope));
    expect(listed(imported)).toEqual([...mirrors, 'etcd.loadbalancer_apiserver.address']);
    expect(made(imported).text).toContain('renewal: { automatic: true }');
  });

  test('is what is said for all, and another value of one machine is told', () => {
    const imported = importKubespray(
      texts(['group_vars/all.yml', keys], ['host_vars/n1.yml', 'kube_network_plugin: cilium']),
      wishing(),
    );
    expect(clusterOf(imported).kubespray.networkPlugin).toBe('flannel');
    expect(listed(imported)).toEqual([...mirrorsOf('all'), 'n1.kube_network_plugin']);
    expect(made(imported).warnings.map(({ message }) => message)).toContain(
      '`kube_network_plugin` of n1 alone does not speak for the cluster, so it is not taken over',
    );
  });

  test('is nothing where each says something else: that is refused', () => {
    const all = texts(
      ['host_vars/n1.yml', 'kube_network_plugin: cilium'],
      ['group_vars/kube_node.yml', 'kube_network_plugin: calico'],
    );
    expect(refusal(importKubespray(all, wishing()), all)).toContain(
      'host_vars/n1.yml:1:1: `kube_network_plugin` is not the same for n1, n2, n3',
    );
  });

  test.each([
    ...['kube_pods_subnet', 'kube_service_addresses', 'kube_apiserver_port', 'kube_version', 'http_proxy'],
    ...['kube_network_plugin', 'container_manager', 'no_proxy', 'auto_renew_certificates', 'ipv6_stack'],
  ])('is asked for where only Ansible could work it out: %s', (key) => {
    for (const value of ["\"{{ lookup('env', 'X') }}\"", '"{{ b }}"', '[5]']) {
      const all = texts(['group_vars/all.yml', `${key}: ${value}`]);
      expect(refusal(importKubespray(all, wishing()), all)).toContain(
        `group_vars/all.yml:1:${key.length + 3}: \`${key}\` cannot be evaluated here`,
      );
    }
  });

  test('may be what another variable says', () => {
    const references = [
      ...['kube_pods_subnet: "{{ pods }}"', 'pods: 10.99.0.0/16', 'kube_version: "{{ version }}"'],
      'version: 1.32.5',
    ];
    const cluster = clusterOf(
      importKubespray(texts(['group_vars/all.yml', references.join('\n')]), wishing()),
    );
    expect(cluster.network.podSubnets).toEqual(['10.99.0.0/16']);
    expect(cluster.kubernetes.version).toBe('1.32.5');
  });

  test('is the address that control planes or load balancers hold, and not that of others', () => {
    const balancing = (file: string) => [
      ...texts([file, 'vip: 10.3.0.80']),
      { file: 'hosts-more.ini', text: '[haproxy]\nlb1 ip=10.3.0.5\n' },
    ];
    for (const file of ['group_vars/haproxy.yml', 'group_vars/kube_control_plane.yml'])
      expect(clusterOf(importAnsible(balancing(file), wishing())).endpoint.address).toBe('10.3.0.80');
    for (const file of ['group_vars/database.yml', 'group_vars/kube_node.yml'])
      expect(listed(importAnsible(balancing(file), wishing({ vip: '10.3.0.81/24' })))).toEqual([
        expect.stringContaining('.vip'),
      ]);
  });
});

describe('an inventory without a way to the internet', () => {
  const told = [
    'registry_host: "registry.example.org:5000"',
    'files_repo: "http://files.example.org"',
    'ubuntu_repo: "http://ubuntu.example.org"',
    ...['kube', 'gcr', 'github', 'docker', 'quay'].map((name) => `${name}_image_repo: "{{ registry_host }}"`),
    'kubeadm_download_url: "{{ files_repo }}/dl.k8s.io/release/v{{ kube_version }}/bin/linux/{{ image_arch }}/kubeadm"',
    'github_url: "{{ files_repo }}/github.com"',
    'dl_k8s_io_url: "{{ files_repo }}/dl.k8s.io"',
    'storage_googleapis_url: "{{ files_repo }}/storage.googleapis.com"',
    'get_helm_url: "{{ files_repo }}/get.helm.sh"',
    'runc_download_url: "{{ files_repo }}/github.com/opencontainers/runc/releases/download/v{{ runc_version }}/runc.{{ image_arch }}"',
  ];
  const texts = (...lines: readonly string[]) => [
    ...inventory('[all]', 'n1 ip=10.3.0.1', 'n2 ip=10.3.0.2', ...groups),
    { file: 'group_vars/all/offline.yml', text: `${lines.join('\n')}\n` },
  ];

  test("has the server of files and the registry of kubespray's sample, and is rendered as it was", () => {
    const imported = importKubespray(texts(...told), wishing());
    const cluster = clusterOf(imported);
    expect(cluster.kubespray).toMatchObject({
      offline: { files: 'http://files.example.org', registry: 'registry.example.org:5000' },
      variables: { ubuntu_repo: 'http://ubuntu.example.org' },
    });
    // Their ends are the tag's own, or another's: nobody knows here.
    expect(made(imported).leftOver.map(({ path }) => path)).toEqual([
      'all.kubeadm_download_url',
      'all.runc_download_url',
    ]);
    expect(made(imported).assumptions.join()).not.toContain('`offline`');
    expect(made(imported).assumptions).toContain(
      'kubespray knows where single files lie below files_repo: kubeadm_download_url, runc_download_url are listed and not taken over',
    );
    const rendered = render(cluster, templates).map(({ text }) => text);
    for (const line of told.filter((each) => !each.includes('_download_url')))
      expect(rendered.some((text) => text.replaceAll('"', '').includes(line.replaceAll('"', '')))).toBe(true);
  });

  test('has what does not follow from these two listed, and what nobody said told', () => {
    const imported = importKubespray(
      texts(
        ...told.slice(0, 2),
        'quay_image_repo: quay.example.org',
        'cni_download_url: "{{ other }}/cni.tgz"',
      ),
      wishing(),
    );
    expect(made(imported).leftOver.map(({ path }) => path)).toEqual([
      ...['all.quay_image_repo', 'all.cni_download_url'],
    ]);
    expect(
      made(imported)
        .warnings.map(({ message }) => message)
        .join(),
    ).toContain('`quay_image_repo` does not');
    expect(made(imported).assumptions.join()).toContain('until now nothing said kube_image_repo');
  });

  test('is none for a kubespray that knows no mirrors of whole hosts, which is told', () => {
    const imported = importKubespray(texts(...told, 'kube_version: v1.27.7'), wishing());
    expect(clusterOf(imported).kubespray).toMatchObject({ version: 'v2.23.3', offline: { files: '' } });
    expect(made(imported).leftOver).toHaveLength(told.length - 1);
    expect(made(imported).warnings.map(({ message }) => message)).toContain(
      'kubespray v2.23.3 knows no mirrors of whole hosts, so files_repo and registry_host are not taken over',
    );
  });

  test('is none with a registry alone', () => {
    const imported = importKubespray(texts(...told.slice(0, 1)), wishing());
    expect(clusterOf(imported).kubespray.offline.files).toBe('');
    expect(made(imported).leftOver.map(({ path }) => path)).toEqual(['all.registry_host']);
  });
});
