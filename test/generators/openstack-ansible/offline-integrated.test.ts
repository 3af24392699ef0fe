import { describe, expect, test } from 'vitest';
import { pack } from '../../../generators/bundle.ts';
import { mirrorFile, mirroredImages } from '../../../generators/phases/openstack-ansible/mirror.ts';
import { publisherIn } from '../../../generators/catalog/openstack-ansible/publishers.ts';
import { osaTree } from '../../../generators/phases/openstack-ansible/tree/tree.ts';
import { render } from '../../../generators/render.ts';
import { readYaml } from '../../../generators/yaml.ts';
import { templates } from '../../support/definitions/templates.ts';
import { clusterOf, osaOf, said, treeOf } from './support.ts';
import { withWorkload } from './workload-support.ts';

const offline = `offline:
  registry: registry.example.org/osa
  files: https://mirror.example.org/osa
  git: https://git.example.org/mirror
  cargo: https://cargo.example.org/index/
functionalTest: { imageUrl: https://mirror.example.org/kube.qcow2 }
`;
const workload = (changes: Readonly<Record<string, string>> = {}): string =>
  withWorkload({ '"2025.2"': '"2026.1"', ...changes });
const text = workload() + offline;
const variables = (path: string) => treeOf(osaOf(text)).get(path) as Readonly<Record<string, unknown>>;

describe('a site without a network, release 2026.1', () => {
  test('no address of a publisher is left in what is rendered, but in the list of what is copied', () => {
    const cluster = clusterOf(text);
    const { files } = pack(cluster, render(cluster, templates));
    const sources = ['files/osa/mirror.yml', 'files/osa/mirror.py', 'manifest.json', 'README.md'];
    const left = files
      .filter(({ path }) => !sources.includes(path))
      .map(({ path, text: written }) => `${path}: ${publisherIn(written)}`)
      .filter((each) => !each.endsWith(': '));
    expect(left).toEqual([]);
    expect(
      osaTree('cloud-a', osaOf(workload()))
        .map((each) => publisherIn(each.text))
        .filter(Boolean),
    ).not.toEqual([]);
  });

  test('files come from the mirror by the variables of the roles, with the sums that they ask for beside them', () => {
    const mirror = 'https://mirror.example.org/osa';
    expect(variables('group_vars/k8s_all/main.yml')).toMatchObject({
      containerd_baseurl: `${mirror}/github.com/containerd/containerd`,
      containerd_runc_baseurl: `${mirror}/github.com/opencontainers/runc`,
      containerd_runc_version: '1.4.1',
      kubelet_crictl_url: `${mirror}/github.com/kubernetes-sigs/cri-tools/releases/download/v1.36.0/crictl-v1.36.0-linux-amd64.tar.gz`,
      kubeadm_download_url: `${mirror}/dl.k8s.io/release/v1.36.1/bin/linux/amd64/kubeadm`,
      cilium_helm_repo_url: `${mirror}/helm.cilium.io`,
      cilium_version: 'v1.19.4',
      cert_manager_helm_repo_url: `${mirror}/charts.jetstack.io`,
    });
    const list = readYaml(mirrorFile('cloud-a', osaOf(text)).text) as {
      files: { url: string; path: string; sums: string }[];
      charts: unknown[];
    };
    for (const { url, sums } of list.files.filter((each) => each.sums !== ''))
      expect(sums.slice(0, sums.lastIndexOf('/'))).toBe(url.slice(0, url.lastIndexOf('/')));
    expect(list.files.find(({ url }) => url.endsWith('runc.amd64'))?.sums).toMatch(
      /\/v1\.4\.1\/runc\.sha256sum$/,
    );
    expect(list.charts).toEqual([
      { repository: 'https://helm.cilium.io', path: 'helm.cilium.io', name: 'cilium', version: 'v1.19.4' },
      {
        repository: 'https://charts.jetstack.io',
        path: 'charts.jetstack.io',
        name: 'cert-manager',
        version: 'v1.20.2',
      },
    ]);
  });

  test('what the collections depend on comes from the git server, not from Ansible Galaxy', () => {
    expect(variables('user-collection-requirements.yml')['collections']).toEqual([
      {
        name: 'kubernetes.core',
        source: 'https://git.example.org/mirror/ansible-collections/kubernetes.core',
        version: '6.4.0',
        type: 'git',
      },
    ]);
    expect(treeOf(osaOf(workload())).has('user-collection-requirements.yml')).toBe(false);
  });

  test('images come from the registry, the sandbox with all digits of its tag', () => {
    expect(variables('group_vars/k8s_all/main.yml')).toMatchObject({
      containerd_pause_image: 'registry.example.org/osa/pause:3.10',
      cilium_operator_image: 'registry.example.org/osa/cilium/operator-generic:v1.19.4',
      cert_manager_image_startupapicheck:
        'registry.example.org/osa/jetstack/cert-manager-startupapicheck:v1.20.2',
      cluster_api_openstack_controller_image: 'registry.example.org/osa/orc/openstack-resource-controller',
      cluster_api_openstack_controller_version: '2.5.0',
    });
    const older = osaOf(
      workload({ 'controlPlane:': 'versions: { provider: 0.11.2 }\ncontrolPlane:' }) + offline,
    );
    expect(mirroredImages(older).filter(({ source }) => source.includes('orc/'))).toEqual([]);
  });

  test('the driver is built with crates of the mirror, and Helm on hosts of Magnum comes from there', () => {
    expect(variables('group_vars/magnum_all/main.yml')).toMatchObject({
      magnum_capi_vexxhost_git_repo: 'https://git.example.org/mirror/vexxhost/magnum-cluster-api',
      magnum_capi_vexxhost_rust_cargo_config:
        '[source.crates-io]\nreplace-with = "mirror"\n[source.mirror]\nregistry = "sparse+https://cargo.example.org/index/"\n',
      helm_download_url: 'https://mirror.example.org/osa/get.helm.sh/helm-v3.20.0-linux-amd64.tar.gz',
      magnum_config_overrides: { auto_scaling: { image_repository: 'registry.example.org/osa' } },
    });
  });

  test('images of workload clusters lie where the driver v0.36.6 looks for them', () => {
    const at = (given: string) =>
      mirroredImages(osaOf(given)).map(({ source, target }) => `${source} ${target.slice(25)}`);
    for (const each of [
      'quay.io/calico/node:v3.31.3 calico/node:v3.31.3',
      'registry.k8s.io/sig-storage/livenessprobe:v2.14.0 csi-livenessprobe:v2.14.0',
      'registry.k8s.io/sig-storage/csi-provisioner:v3.3.0 csi-provisioner:v3.3.0',
      'registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.30.3 openstack-cloud-controller-manager:v1.30.3',
      'registry.k8s.io/autoscaling/cluster-autoscaler:v1.30.7 cluster-autoscaler:v1.30.7',
      'quay.io/orc/openstack-resource-controller:v2.5.0 orc/openstack-resource-controller:v2.5.0',
      'registry.k8s.io/cluster-api/cluster-api-controller:v1.13.2 cluster-api-controller:v1.13.2',
    ])
      expect(at(text)).toContain(each);
    const cilium = workload({ 'flavor: m1.medium,': 'flavor: m1.medium, networkDriver: cilium,' });
    const allowed = cilium.replace(
      'workloadClusters:',
      'magnum: { networkDrivers: [calico, cilium] }\nworkloadClusters:',
    );
    expect(at(allowed + offline)).toEqual(
      expect.arrayContaining([
        'quay.io/cilium/cilium:v1.15.3 cilium-cilium:v1.15.3',
        'quay.io/cilium/operator-generic:v1.15.3 cilium-operator-generic:v1.15.3',
      ]),
    );
  });

  test('no two images would lie at one place, a version that the driver has no table for has both of its images', () => {
    const osa = osaOf(text.replace('kubernetes: v1.30.2', 'kubernetes: v1.36.0'));
    const images = mirroredImages(osa);
    expect(images).toHaveLength(new Set(images.map(({ source }) => source)).size);
    expect(images.map(({ source }) => source)).toEqual(
      expect.arrayContaining([
        'registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.35.0',
        'registry.k8s.io/autoscaling/cluster-autoscaler:v1.36.0',
      ]),
    );
  });

  test('what nobody could copy whole is a fault, at its place', () => {
    expect(said(text.replace(/ {2}cargo: .*\n/, '')).join()).toMatch(
      /the driver v0\.36\.6 is built with Rust, whose crates would come from crates\.io → cargo:/,
    );
    const driver = text.replace('controlPlane:', 'versions: { driver: v0.33.0 }\ncontrolPlane:');
    expect(said(driver).join()).toContain('what clusters of the driver v0.33.0 pull is not known here');
    const hubble = text.replace('boot_volume_size: 20', 'cilium_hubble_ui_enabled: true');
    expect(said(hubble).join()).toContain(
      'the driver asks for tags of Hubble that its publisher does not have',
    );
  });
});
