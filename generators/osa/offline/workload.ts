import type { OpenStackAnsibleMagnum } from '../../cluster.ts';
import { compareReleases } from '../releases.ts';
import { oldDriver } from './driver-024.ts';
import { rustDriver } from './driver-036.ts';
import type { DriverImages } from './kinds.ts';

/** Undefined: nobody read what this version of the driver pulls. */
export function driverImages(driver: string): DriverImages | undefined {
  if (compareReleases(driver, '0.25.0') < 0) return oldDriver;
  const isRead = compareReleases(driver, '0.36.2') >= 0 && compareReleases(driver, '0.37.0') < 0;
  return isRead ? rustDriver : undefined;
}

/** What workload clusters of the definition pull, but for what `kubeadm config images list` says. */
export function workloadImages({ workload, versions }: OpenStackAnsibleMagnum): readonly string[] {
  const images = driverImages(versions.driver);
  if (images === undefined || workload.templates.length === 0) return [];
  return [
    ...images.always,
    ...workload.templates.flatMap((each) => images.ofTemplate(each, versions.driver)),
  ];
}

/** Where the driver looks for an image of workload clusters: its rules, in its words. */
export function workloadTarget(image: string, registry: string, driver: string): string {
  const all = [...(driverImages(driver)?.rules ?? []), ...rules];
  const [from, to] = all.find(([begin]) => image.startsWith(begin)) ?? ['', ''];
  const renamed = `${registry}/${to}${image.slice(from.length)}`;
  return renamed.replace(`${registry}/livenessprobe`, `${registry}/csi-livenessprobe`);
}

const rules: DriverImages['rules'] = [
  ['registry.k8s.io/sig-storage/', ''],
  ['registry.k8s.io/provider-os/', ''],
  ['registry.k8s.io/coredns/', ''],
  ['registry.k8s.io/autoscaling/', ''],
  ['registry.k8s.io/', ''],
];
