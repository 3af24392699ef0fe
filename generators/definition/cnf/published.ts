import { judgeService, type ServicePort } from '../manifests/service-ports.ts';
import type { ManifestObject } from '../manifests/objects.ts';

/** The port of a Service that is reached from outside the cluster, where the manifests have it. */
export const publishedPort = (
  objects: readonly ManifestObject[],
  service: string,
  port: number,
): ServicePort | undefined =>
  objects
    .filter(({ apiVersion, kind, name }) => apiVersion === 'v1' && kind === 'Service' && name === service)
    .flatMap(({ object, place }) => judgeService(object, () => place).ports)
    .find((each) => each.port === port);
