import type { Cluster, Network, Proxy } from '../cluster/cluster.ts';
import { noFiles, type Files } from '../definition/files.ts';
import { defaults } from '../definition/defaults.ts';
import { apiServerPortOf, nodeSubnetsOf, podSubnetsOf, serviceSubnetsOf } from '../definition/derived.ts';
import { cidr, parseAddress, parseBlock, type Block } from '../source/networks.ts';
import type { Definition } from '../definition/schema/schema.ts';
import { resolveCnfs } from './cnf/cnfs.ts';
import { resolveContainerd } from './containerd.ts';
import { resolveDrills } from './drills.ts';
import { resolveEndpoint } from './endpoint.ts';
import { resolveExternalLoadBalancer } from './external-load-balancer.ts';
import { resolveKubernetes } from './kubernetes.ts';
import { resolveKubespray } from './kubespray.ts';
import { resolveMachines } from './machines.ts';
import { resolveMessages } from './messages.ts';
import { resolvePatch } from './patch.ts';
import { resolvePodNetwork } from './pod-network.ts';
import { secretVariables } from './secret-names.ts';
import { secretUses } from './secrets.ts';
import { resolveSchedule } from './schedule.ts';
import { resolveServer } from './server.ts';
import { resolveStorage } from './storage.ts';

/** Fills every default and computes everything that follows from a definition. */
export const resolve = (definition: Definition, files: Files = noFiles): Cluster => ({
  name: definition.metadata.name,
  ...(definition.metadata.uid === undefined ? {} : { uid: definition.metadata.uid }),
  review: definition.review ?? defaults.review,
  ansibleServer: resolveServer(definition.ansibleServer),
  kubernetes: resolveKubernetes(definition, files),
  kubespray: resolveKubespray(definition),
  containerd: resolveContainerd(definition),
  podNetwork: resolvePodNetwork(definition, files),
  offline: definition.offline ?? { artifacts: '', sha256: '' },
  network: network(definition),
  endpoint: resolveEndpoint(definition),
  machines: resolveMachines(definition),
  storage: resolveStorage(definition, files),
  externalLoadBalancer: resolveExternalLoadBalancer(definition, files),
  cnfs: resolveCnfs(definition, files),
  proxy: proxy(definition.proxy),
  secrets: secretUses(definition),
  ...resolveDrills(definition),
  ...extraPlaybooks(definition),
  ...resolvePatch(definition),
  ...resolveMessages(definition),
  ...resolveSchedule(definition),
});

const extraPlaybooks = ({ extraPlaybooks: written = [] }: Definition): Pick<Cluster, 'extraPlaybooks'> =>
  written.length === 0 ? {} : { extraPlaybooks: [...new Set(written)].toSorted() };

const network = (definition: Definition): Network => ({
  nodeSubnets: nodeSubnetsOf(definition).map(cidr),
  podSubnets: podSubnetsOf(definition).map(cidr),
  serviceSubnets: serviceSubnetsOf(definition).map(cidr),
  apiServerPort: apiServerPortOf(definition),
});

const proxy = (written: Definition['proxy']): Proxy => ({
  http: written?.http ?? '',
  https: written?.https ?? '',
  noProxy: (written?.noProxy ?? []).map(canonical),
  ...(written?.credentials
    ? {
        credentials: {
          userVariable: secretVariables.proxyUser,
          passwordVariable: secretVariables.proxyPassword,
        },
      }
    : {}),
});

/** Addresses and networks in one spelling, names as they are. */
const canonical = (entry: string): string => {
  const network: Block | undefined = parseBlock(entry);
  return network ? cidr(network) : (parseAddress(entry)?.address ?? entry);
};
