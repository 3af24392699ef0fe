import type { Cluster } from '../../cluster/cluster.ts';
import type { Fill } from '../../engine.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { configurationView, digestWithoutServers, lookedUpServices } from './external-haproxy.ts';
import { keepalivedLeft } from './external-keepalived.ts';
import { externalScript } from './external-script.ts';
import { answersProgram } from './haproxy.ts';
import { isOffline } from '../offline.ts';
import { renderedFile, type Phase } from '../phase.ts';
import { isProxied } from '../proxy-environment.ts';

/** Clients outside the cluster reach Services, and the API, through hosts of their own. */
export const externalLoadBalancer: Phase = {
  name: 'external-load-balancer',
  what: 'Balance Services, and the API if wanted, for clients outside the cluster with HAProxy',
  hosts: 'external_load_balancers',
  tags: [
    { name: 'external-load-balancer', what: 'everything below' },
    { name: 'external-load-balancer_install', what: 'the package' },
    { name: 'external-load-balancer_config', what: 'the configuration, the service and its servers' },
    { name: 'verify', what: 'every port takes connections on each host' },
  ],
  applies: ({ externalLoadBalancer: { balancers } }) => balancers.length > 0,
  run: 'instantiate',
  parameters: [],
  render: (cluster, fill) =>
    cluster.externalLoadBalancer.script.text === ''
      ? haproxyFiles(cluster, fill)
      : externalScript(cluster, fill),
};

function haproxyFiles(cluster: Cluster, fill: Fill): readonly RenderedFile[] {
  const source = `${folder}/haproxy.cfg${lookedUpServices(cluster).length > 0 ? '.j2' : ''}`;
  return [
    renderedFile(
      'external-load-balancer.yml',
      fill(template('external-load-balancer.yml'), playbookView(cluster, source)),
    ),
    renderedFile(source, configuration(cluster, fill)),
    answersProgram(fill),
    ...lookup(cluster, fill),
  ];
}

const folder = 'files/external-load-balancer';
const template = (name: string): string => `external-load-balancer/${name}.hbs`;

/** It says a digest of all but its servers, by which these can be told to change alone. */
function configuration(cluster: Cluster, fill: Fill): string {
  const text = (digest: string): string => fill(template('haproxy.cfg'), configurationView(cluster, digest));
  return text(digestWithoutServers(text('none')));
}

function playbookView(cluster: Cluster, source: string): Readonly<Record<string, unknown>> {
  const isLookedUp = lookedUpServices(cluster).length > 0;
  return {
    source,
    lookedUp: lookedUpServices(cluster),
    module: isLookedUp ? 'template' : 'copy',
    offline: isOffline(cluster),
    proxied: isProxied(cluster),
    drain: String(cluster.externalLoadBalancer.drainSeconds),
    ownConfiguration: keepalivedLeft(cluster),
  };
}

/** What asks the cluster for ports, where some are not known. */
function lookup(cluster: Cluster, fill: Fill): readonly RenderedFile[] {
  const { healthPort } = cluster.externalLoadBalancer;
  const wanted = lookedUpServices(cluster).map((service) => ({
    namespace: service.namespace,
    name: service.name,
    port: service.servicePort,
    nodePort: service.nodePort,
    policy: service.externalTrafficPolicy,
    checkNodePort: service.healthCheckNodePort,
    healthPort,
  }));
  return wanted.length === 0
    ? []
    : [
        renderedFile(
          `${folder}/services.py`,
          fill(template('services.py'), { wanted: JSON.stringify(wanted) }),
        ),
      ];
}
