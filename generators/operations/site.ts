import type { Cluster } from '../cluster.ts';
import type { Fill } from '../engine.ts';
import type { Phase } from '../phases/phase.ts';
import { phases } from '../phases/index.ts';
import type { RenderedFile } from '../rendered-file.ts';

/** A playbook of the bundle, as the manifest and the README tell it. */
export interface Playbook {
  readonly file: string;
  readonly what: string;
  readonly hosts: readonly string[];
  readonly tags: Phase['tags'];
}

/** Brings everything to its wanted state: the phases that apply, in order. */
export const site = (cluster: Cluster, fill: Fill): RenderedFile => ({
  path: 'site.yml',
  mode: '0644',
  text: fill('site/site.yml.hbs', { phases: phasesOf(cluster) }),
});

/** The phases that make sense for this cluster, in the order in which they are run. */
export const phasesOf = (cluster: Cluster): readonly Phase[] =>
  phases.filter(({ applies }) => applies(cluster));

/** Every playbook of the bundle: `site.yml` first, then its parts in order. */
export function playbooks(cluster: Cluster): readonly Playbook[] {
  const parts = phasesOf(cluster).map(({ name, what, hosts, tags }) => ({
    file: `${name}.yml`,
    what,
    hosts: namesOf(cluster, hosts),
    tags,
  }));
  return [
    { file: 'site.yml', what: 'Everything below, in this order', hosts: namesOf(cluster, 'all'), tags: [] },
    ...parts,
  ];
}

const namesOf = ({ machines, endpoint }: Cluster, group: string): string[] =>
  (group === 'load_balancers' ? endpoint.balancers : machines).map(({ name }) => name);
