import { ciliumVersion } from '../../../../lab/kubernetes/cilium.ts';
import { modulesOf, type ModuleBuild } from '../../../../lab/kubernetes/modules.ts';
import { images, type ImageRecipe } from '../../../../lab/kubernetes/recipe.ts';
import { labVersion, releaseOf, type LabRelease } from '../../../../lab/kubernetes/releases.ts';
import { there } from '../../there.ts';

/** Image of the lab → by which name the role asks for it. */
export const labCilium = {
  [`quay.io/cilium/cilium:v${ciliumVersion}`]: 'cilium/cilium:v1.14.8',
  [`quay.io/cilium/operator-generic:v${ciliumVersion}`]: 'cilium/operator-generic:v1.14.8',
};

export const osaVersions = { kubernetes: '1.28.4', clusterApi: '1.8.4', provider: '0.10.5' };

/** Kubernetes, and those of others that its kubeadm asks for. */
export const osaRelease: LabRelease = {
  ...there(releaseOf(labVersion)),
  ...{ kubernetes: osaVersions.kubernetes, etcd: '3.5.9', coredns: '1.10.1', pause: '3.9' },
};

const certManager = 'github.com/cert-manager/cert-manager/cmd';
const jobs = ['controller', 'webhook', 'cainjector', 'ctl', 'acmesolver'];
const clusterApi = 'sigs.k8s.io/cluster-api';
const provider = 'sigs.k8s.io/cluster-api-provider-openstack';
export const helmDiff = 'github.com/databus23/helm-diff/v3';

/** Below `test/fixtures/osa`, made as the lab's own are, by `pin.sh` of `lab/kubernetes/sources` with Go 1.22. */
export const osaModules: readonly ModuleBuild[] = [
  {
    ...{ folder: 'helm-diff-3.8.1', title: 'helm-diff 3.8.1', values: {} },
    programs: { [helmDiff]: 'helm-diff/diff' },
  },
  {
    ...{ folder: 'helm-3.11.2', title: 'helm 3.11.2' },
    programs: { 'helm.sh/helm/v3/cmd/helm': 'helm' },
    values: { 'helm.sh/helm/v3/internal/version.version': 'v3.11.2' },
  },
  {
    ...{ folder: 'cert-manager-1.11.5', title: 'cert-manager 1.11.5', values: {} },
    programs: Object.fromEntries(jobs.map((job) => [`${certManager}/${job}`, `cert-manager/${job}`])),
  },
  {
    ...{ folder: 'cluster-api-1.8.4', title: 'Cluster API 1.8.4' },
    programs: {
      [clusterApi]: 'capi/core/manager',
      [`${clusterApi}/bootstrap/kubeadm`]: 'capi/bootstrap/manager',
      [`${clusterApi}/controlplane/kubeadm`]: 'capi/control-plane/manager',
      [`${clusterApi}/cmd/clusterctl`]: 'capi/clusterctl',
    },
    values: {
      [`${clusterApi}/version.gitVersion`]: 'v1.8.4',
      [`${clusterApi}/version.gitMajor`]: '1',
      [`${clusterApi}/version.gitMinor`]: '8',
    },
  },
  {
    ...{ folder: 'capo-0.10.5', title: 'the provider for OpenStack 0.10.5', values: {} },
    programs: { [provider]: 'capi/openstack/manager' },
  },
  ...modulesOf(osaRelease).filter(({ folder }) => /^(?:etcd|coredns|kubernetes)-/.test(folder)),
];

const manager = (reference: string, folder: string): ImageRecipe => ({
  ...{ reference, set: 'node', entrypoint: ['/manager'] },
  files: { manager: `bin/capi/${folder}/manager` },
});

/** By the names that the mirror has, below the registry. */
export const osaImages: readonly ImageRecipe[] = [
  ...images(osaRelease)
    .filter(({ reference }) => reference.startsWith('registry.k8s.io/'))
    .map((image) => ({ ...image, reference: image.reference.replace('registry.k8s.io/', '') })),
  { reference: 'pause:3.10', set: 'node', entrypoint: ['/pause'], files: { pause: 'bin/pause' } },
  manager('cluster-api-controller:v1.8.4', 'core'),
  manager('kubeadm-bootstrap-controller:v1.8.4', 'bootstrap'),
  manager('kubeadm-control-plane-controller:v1.8.4', 'control-plane'),
  manager('capi-openstack-controller:v0.10.5', 'openstack'),
  ...jobs.map((job): ImageRecipe => ({
    reference: `jetstack/cert-manager-${job}:v1.11.5`,
    ...{ set: 'node', entrypoint: [`/app/cmd/${job}/${job}`] },
    files: { [`app/cmd/${job}/${job}`]: `bin/cert-manager/${job}` },
  })),
];
