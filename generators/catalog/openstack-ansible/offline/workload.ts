import type { OpenStackAnsibleMagnum } from '../../../cluster/cluster.ts';
import { compareReleases } from '../releases.ts';
import { oldDriver } from './driver-024.ts';
import { rustDriver } from './driver-036.ts';
import type { DriverImages, TemplateImages } from './kinds.ts';

/** Undefined: nobody read what this version of the driver pulls. */
export function driverImages(driver: string): DriverImages | undefined {
  if (compareReleases(driver, '0.25.0') < 0) return oldDriver;
  const isRead = compareReleases(driver, '0.36.2') >= 0 && compareReleases(driver, '0.37.0') < 0;
  return isRead ? rustDriver : undefined;
}

/** Templates of the definition, and that of the functional test where it has one that says its version and our registry. */
export const pulling = ({ workload, functionalTest }: OpenStackAnsibleMagnum): readonly TemplateImages[] => [
  ...workload.templates,
  ...(functionalTest.externalNetwork === '' || functionalTest.kubernetesVersion === ''
    ? []
    : [{ kubernetes: functionalTest.kubernetesVersion, networkDriver: 'calico' as const, labels: {} }]),
];

/** What workload clusters of the definition pull, but for what `kubeadm config images list` says. */
export function workloadImages(osa: OpenStackAnsibleMagnum): readonly string[] {
  const { driver } = osa.versions;
  const images = driverImages(driver);
  const templates = pulling(osa);
  if (images === undefined || templates.length === 0) return [];
  return [...images.always, ...templates.flatMap((each) => images.ofTemplate(each, driver))];
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
