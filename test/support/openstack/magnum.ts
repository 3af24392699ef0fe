import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { kubernetesPrograms } from '../cluster-api/kubernetes-programs.ts';
import { startKubernetesApi, type KubernetesApi } from '../cluster-api/kubernetes.ts';
import { manageClusters } from '../cluster-api/management.ts';
import { startProvider, type Provider } from '../cluster-api/provider.ts';
import { clusterApi, type ClusterApi } from '../cluster-api/programs.ts';
import { startControlPlane, type ControlPlane } from './control-plane.ts';
import type { OpenStackPackages } from './packages.ts';
import { programs } from './programs.ts';
import { cinder } from './services/cinder.ts';
import { glance } from './services/glance.ts';
import { magnum } from './services/magnum.ts';
import { neutron } from './services/neutron.ts';
import { nova } from './services/nova.ts';
import { octavia } from './services/octavia.ts';
import type { Sections } from './service.ts';

/** Magnum with its API and conductor, the APIs below it, and a Kubernetes API with Cluster API's controllers. */
export interface Magnum {
  readonly openstack: ControlPlane;
  readonly kubernetes: KubernetesApi;
  readonly clusterApi: ClusterApi;
  readonly provider: Provider;
  readonly end: () => Promise<void>;
}

/** Starts all of it; its APIs listen on an address of this machine. `more` is what a deployment adds to magnum.conf. */
export async function startMagnum(
  packages: OpenStackPackages,
  address: string,
  more: (folder: string) => Sections = () => ({}),
): Promise<Magnum> {
  const folder = mkdtempSync(join(tmpdir(), 'playsmith-management-'));
  const started = programs(folder);
  const ends: (() => void | Promise<void>)[] = [
    () => {
      started.end();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  ];
  const end = async (): Promise<void> => {
    for (const each of ends.toReversed()) await each();
  };
  try {
    const built = await clusterApi();
    const kubernetesOwn = await kubernetesPrograms(folder);
    const kubernetes = await startKubernetesApi({
      ...{ name: 'management', folder, address, started },
      programs: kubernetesOwn,
    });
    await manageClusters({ folder, kubernetes, clusterApi: built, started });
    const openstack = await startControlPlane({
      ...{ packages, address },
      services: [glance, neutron, nova, cinder, octavia, magnum(more(folder))],
      environment: {
        KUBECONFIG: kubernetes.kubeconfig,
        PATH: `${built.bin}:${process.env['PATH'] ?? ''}`,
        // Of the machine; it would take the place of the authority that a driver's kubeconfig names.
        REQUESTS_CA_BUNDLE: '',
        CURL_CA_BUNDLE: '',
      },
    });
    ends.push(openstack.end);
    const provider = startProvider({
      folder,
      address,
      management: kubernetes,
      programs: kubernetesOwn,
      started,
    });
    ends.push(provider.end);
    return { openstack, kubernetes, clusterApi: built, provider, end };
  } catch (error) {
    await end();
    throw error;
  }
}
