import type { Argument } from '../../cluster/cluster.ts';
import type { Data } from '../../data-file.ts';

/** `apiVersion` of kubeadm's own documents: the one that every kubeadm from 1.31 on reads. */
export const kubeadmApi = 'kubeadm.k8s.io/v1beta4';

/** The second number of a version: 37 of `1.37.2`. */
export const minorOf = (version: string): number => Number(version.split('.')[1]);

/** Arguments of a component. Of two with the same name the later one holds. */
const extraArgs = (given: readonly Argument[]): Data =>
  [...new Map(given.map(({ name, value }) => [name, value]))].map(([name, value]) => ({ name, value }));

/** `extraArgs`, or nothing where there is no argument. */
export const withArguments = (given: readonly Argument[]): Readonly<Record<string, Data>> =>
  given.length > 0 ? { extraArgs: extraArgs(given) } : {};
