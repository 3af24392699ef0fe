import { describe, expect, test } from 'vitest';
import { pack } from '../../../generators/bundle.ts';
import { mirrorFile, mirroredImages } from '../../../generators/phases/openstack-ansible/mirror.ts';
import { publisherIn } from '../../../generators/catalog/openstack-ansible/publishers.ts';
import { osaTree } from '../../../generators/phases/openstack-ansible/tree/tree.ts';
import { render } from '../../../generators/render.ts';
import { readYaml } from '../../../generators/yaml.ts';
import { templates } from '../../support/definitions/templates.ts';
import { clusterOf, filesWith, osaOf, said, treeOf } from './support.ts';
import { withWorkload } from './workload-support.ts';

const offline = `offline:
  registry: registry.example.org/osa
  files: https://mirror.example.org/osa/
  git: https://git.example.org/mirror
functionalTest: { imageUrl: https://mirror.example.org/kube.qcow2 }
`;
const text = `${withWorkload()}${offline}`;
const variables = (path: string) => treeOf(osaOf(text)).get(path) as Readonly<Record<string, unknown>>;

describe('a site without a network', () => {
  test('no address of a publisher is left in what is rendered, but in the list of what is copied', () => {
    const cluster = clusterOf(text);
    const { files } = pack(cluster, render(cluster, templates));
    const sources = ['files/osa/mirror.yml', 'files/osa/mirror.py', 'manifest.json', 'README.md'];
    const left = files
      .filter(({ path }) => !sources.includes(path))
      .flatMap(({ path, text: written }) => {
        const host = publisherIn(written);
        return host === '' ? [] : [`${path}: ${host}`];
      });
    expect(left).toEqual([]);
  });

  test('the same tree without mirrors has them, so the look above can find something', () => {
    const tree = osaTree('cloud-a', osaOf(withWorkload()));
    expect(tree.map(({ text: written }) => publisherIn(written)).filter(Boolean)).not.toEqual([]);
  });

  test('every file and every image that a role names comes from the mirrors', () => {
    expect(variables('group_vars/k8s_all/main.yml')).toMatchObject({
      kubernetes_image_repository: 'registry.example.org/osa',
      kubeadm_download_url:
        'https://mirror.example.org/osa/dl.k8s.io/release/v1.28.13/bin/linux/amd64/kubeadm',
      containerd_version: '2.3.1',
      containerd_pause_image: 'registry.example.org/osa/pause:3.10',
      cilium_operator_image: 'registry.example.org/osa/cilium/operator-generic:v1.14.8',
      clusterctl_config: {
        images: { all: { repository: 'registry.example.org/osa' } },
        CLUSTERCTL_DISABLE_VERSIONCHECK: 'true',
      },
    });
    expect(variables('group_vars/magnum_all/main.yml')).toMatchObject({
      magnum_magnum_cluster_api_git_repo: 'https://git.example.org/mirror/vexxhost/magnum-cluster-api',
      magnum_config_overrides: { auto_scaling: { image_repository: 'registry.example.org/osa' } },
      // Its playbooks install Helm on hosts of Magnum, too.
      helm_download_url: 'https://mirror.example.org/osa/get.helm.sh/helm-v3.11.2-linux-amd64.tar.gz',
      helm_diff_version: 'v3.8.1',
    });
    expect(variables('playsmith/functional-test.yml')).toMatchObject({
      sonobuoy_download_url:
        'https://mirror.example.org/osa/github.com/vmware-tanzu/sonobuoy/releases/download/v0.57.1/sonobuoy_0.57.1_linux_amd64.tar.gz',
      sonobuoy_run: false,
    });
    expect(variables('user-collection-requirements.yml')).toMatchObject({
      collections: [
        { source: 'https://git.example.org/mirror/jrosser/ansible-collection-kubernetes' },
        { source: 'https://git.example.org/mirror/vexxhost/ansible-collection-containers' },
        { source: 'https://git.example.org/mirror/openstack/openstack-ansible-ops#/mcapi_vexxhost' },
        { source: 'https://git.example.org/mirror/ansible-collections/kubernetes.core' },
      ],
    });
  });

  test('images of workload clusters lie where the driver looks for them', () => {
    const targets = mirroredImages(osaOf(text)).map(({ source, target }) => `${source} ${target}`);
    for (const each of [
      'docker.io/calico/node:v3.24.2 registry.example.org/osa/calico/node:v3.24.2',
      'registry.k8s.io/sig-storage/livenessprobe:v2.9.0 registry.example.org/osa/csi-livenessprobe:v2.9.0',
      'registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.30.0 registry.example.org/osa/openstack-cloud-controller-manager:v1.30.0',
      'registry.k8s.io/autoscaling/cluster-autoscaler:v1.30.1 registry.example.org/osa/cluster-autoscaler:v1.30.1',
      'registry.k8s.io/capi-openstack/capi-openstack-controller:v0.11.2 registry.example.org/osa/capi-openstack-controller:v0.11.2',
    ])
      expect(targets).toContain(each);
    const { templates: made } = osaOf(text).workload;
    expect(made[0]?.labels['container_infra_prefix']).toBe('registry.example.org/osa');
  });

  test('the functional test pulls from the registry where its version, network and flavor are named', () => {
    const named = text.replace('imageUrl', 'kubernetes: v1.29.5, externalNetwork: ext, flavor: f, imageUrl');
    const test_ = (given: string): string =>
      JSON.stringify(treeOf(osaOf(given)).get('playsmith/functional-test.yml'));
    expect(test_(named)).toContain('"container_infra_prefix":"registry.example.org/osa"');
    expect(readYaml(mirrorFile('cloud-a', osaOf(named)).text)).toMatchObject({
      kubernetes: ['v1.28.13', 'v1.29.5', 'v1.30.2'],
    });
    expect(mirroredImages(osaOf(named)).map(({ source }) => source)).toContain(
      'registry.k8s.io/provider-os/openstack-cloud-controller-manager:v1.29.0',
    );
    expect(test_(text)).not.toContain('container_infra_prefix');
  });

  test('no two images would lie at one place', () => {
    const bySource = new Set(mirroredImages(osaOf(text)).map(({ source }) => source));
    expect(mirroredImages(osaOf(text))).toHaveLength(bySource.size);
  });

  test('the list names versions, sums and repositories', () => {
    expect(readYaml(mirrorFile('cloud-a', osaOf(text)).text)).toMatchObject({
      kubernetes: ['v1.28.13', 'v1.30.2'],
      repositories: expect.arrayContaining([
        {
          source: 'https://opendev.org/openstack/openstack-ansible-ops',
          target: 'https://git.example.org/mirror/openstack/openstack-ansible-ops',
          push: '',
          pins: ['e254606d3935b9acf2199a7c99c2081d9f85fd16'],
        },
        expect.objectContaining({
          source: 'https://github.com/vexxhost/magnum-cluster-api',
          pins: ['v0.24.2'],
        }) as unknown,
      ]) as unknown,
    });
  });

  test('repositories of publishers are pushed where that can be; one of a git server of yours is only looked for', () => {
    const own = 'collections: [{ name: a.b, source: https://git.example.net/own/b, version: v1.0.0 }]\n';
    const places = (push: string) =>
      osaOf(text.replace('/mirror\n', `/mirror\n  gitPush: ${push}\n`) + own).offline.repositories.map(
        (each) => each.push,
      );
    expect(places('/srv/mirror/git')).toEqual([
      '',
      '/srv/mirror/git/ansible-collections/kubernetes.core',
      '/srv/mirror/git/jrosser/ansible-collection-kubernetes',
      '/srv/mirror/git/vexxhost/ansible-collection-containers',
      '/srv/mirror/git/vexxhost/magnum-cluster-api',
      '/srv/mirror/git/openstack/magnum',
      '/srv/mirror/git/openstack/openstack-ansible-ops',
    ]);
    expect(places('ssh://git@git.example.org/mirror')[1]).toBe(
      'ssh://git@git.example.org/mirror/ansible-collections/kubernetes.core',
    );
    for (const wrong of ['https://me:secret@git.example.org/mirror', '--upload-pack=x', 'ext::sh/x'])
      expect(
        said(text.replace('/mirror\n', `/mirror\n  gitPush: "${wrong}"\n`), filesWith()).join(),
      ).toContain('is not a directory or a URL that git pushes to');
  });

  test('what would come from the internet is a fault, at its place', () => {
    const wrong = text
      .replace('{ file: /srv/kube-30.qcow2 }', '{ url: https://github.com/x/kube.qcow2 }')
      .replace('https://mirror.example.org/kube', 'https://github.com/kube');
    expect(said(wrong, filesWith())).toEqual([
      expect.stringMatching(
        /github\.com is on the internet, and with `offline` nothing comes from there → a mirror/,
      ) as string,
      expect.stringMatching(/github\.com is on the internet/) as string,
    ]);
  });
});
