import type { Cluster } from '../../cluster/cluster.ts';
import { sha256 } from '../../digest.ts';
import type { Fill } from '../../engine.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { keepalivedLeft } from './external-keepalived.ts';
import { program, renderedFile } from '../phase.ts';
import { isProxied } from '../proxy-environment.ts';

/** The user's own script instead of everything: as it is, and the playbook that runs it when it has to be. */
export function externalScript(cluster: Cluster, fill: Fill): readonly RenderedFile[] {
  const { text, arguments: words } = cluster.externalLoadBalancer.script;
  const view = {
    stamp: sha256(JSON.stringify([text, ...words])),
    arguments: words,
    proxied: isProxied(cluster),
    ownConfiguration: keepalivedLeft(cluster),
  };
  return [
    renderedFile('external-load-balancer.yml', fill('external-load-balancer/script.yml.hbs', view)),
    program('files/external-load-balancer/given/script', text),
  ];
}
