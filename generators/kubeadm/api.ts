import type { Argument } from '../cluster.ts';
import type { Data } from '../data-file.ts';

/** The versions of kubeadm's configuration that we write. */
export type KubeadmApi = 'v1beta2' | 'v1beta3' | 'v1beta4';

/** The newest version of kubeadm's configuration that kubeadm of this Kubernetes reads without calling it old. */
export function kubeadmApi(version: string): KubeadmApi {
  const minor = minorOf(version);
  if (minor <= 21) return 'v1beta2';
  return minor <= 30 ? 'v1beta3' : 'v1beta4';
}

/** The second number of a version: 20 of `1.20.2`. */
export const minorOf = (version: string): number => Number(version.split('.')[1]);

/** `apiVersion` of kubeadm's own documents. */
export const kubeadmGroup = (api: KubeadmApi): string => `kubeadm.k8s.io/${api}`;

/** Arguments of a component: a mapping, since v1beta4 a list. Of two with the same name the later one holds. */
export function extraArgs(api: KubeadmApi, given: readonly Argument[]): Data {
  const values = new Map(given.map(({ name, value }) => [name, value]));
  if (api !== 'v1beta4') return Object.fromEntries(values);
  return [...values].map(([name, value]) => ({ name, value }));
}

/** `extraArgs` under its key, or nothing where there is no argument. */
export const withArguments = (
  api: KubeadmApi,
  key: 'extraArgs' | 'kubeletExtraArgs',
  given: readonly Argument[],
): Readonly<Record<string, Data>> => (given.length > 0 ? { [key]: extraArgs(api, given) } : {});
