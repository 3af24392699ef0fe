import type { Cluster, OpenStackAnsibleMagnum } from '../../cluster/cluster.ts';
import type { Fill } from '../../engine.ts';
import { renderedFile, type Parameter, type Phase } from '../phase.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { deployGroup } from './groups.ts';
import { mirrorView } from './mirror-packages.ts';
import { mirrorFile } from './mirror.ts';
import { workloadFile } from './workload-file.ts';

const only: Parameter = {
  variable: 'osa_workload_only',
  what: 'these clusters alone, joined by commas',
  required: false,
  pattern: '[a-z][a-z0-9-]*(,[a-z][a-z0-9-]*)*',
  example: 'demo',
};

const nameParameter = (verb: 'upgrade' | 'delete', what: string): Parameter => ({
  variable: `osa_workload_${verb}_name`,
  what,
  required: true,
  pattern: '[a-z][a-z0-9-]*',
  example: 'demo',
});

const confirmParameter = (verb: 'upgrade' | 'delete', what: string): Parameter => ({
  variable: `osa_workload_${verb}_confirm`,
  what: `the name of the deployment, since ${what}`,
  required: true,
  pattern: '[a-z0-9]([a-z0-9-]*[a-z0-9])?',
  example: 'cloud-a',
});

/** The playbooks about clusters that Magnum makes; none without `workloadClusters`. */
export const workloadPhases: readonly Phase[] = [
  phase(
    'clusters',
    'Reconcile flavors, images, cluster templates and clusters of Magnum: make, resize, never delete',
    [only],
  ),
  phase('upgrade', 'Upgrade a workload cluster to the image of its template', [
    nameParameter('upgrade', 'the cluster'),
    confirmParameter('upgrade', 'all nodes of the cluster are recreated'),
  ]),
  phase('delete', 'Delete a workload cluster that the definition no longer has', [
    nameParameter('delete', 'the cluster'),
    confirmParameter('delete', 'all that runs in the cluster is lost'),
  ]),
  phase(
    'status',
    'Show the status of workload clusters and the reasons: Magnum, servers, load balancers, Cluster API',
    [only],
  ),
];

function phase(verb: string, what: string, parameters: readonly Parameter[]): Phase {
  const name = `osa-workload-${verb}`;
  return {
    name,
    what,
    hosts: deployGroup,
    tags: [{ name, what: 'everything' }],
    run: 'asked',
    parameters,
    applies: ({ osa }) => (osa?.workload.templates.length ?? 0) > 0,
    render: (cluster, fill) => (cluster.osa === undefined ? [] : files(cluster, cluster.osa, fill, verb)),
  };
}

const files = (
  cluster: Cluster,
  osa: OpenStackAnsibleMagnum,
  fill: Fill,
  verb: string,
): readonly RenderedFile[] => [
  renderedFile(
    `osa-workload-${verb}.yml`,
    fill(`osa/workload-${verb}.yml.hbs`, {
      cluster: cluster.name,
      directory: osa.configurationDirectory,
      checkout: osa.checkout,
    }),
  ),
  workloadFile(cluster.name, osa),
  ...['workload', 'workload-image', 'workload-wait'].map((program) =>
    renderedFile(`files/osa/${program}.py`, fill(`osa/${program}.py.hbs`, {})),
  ),
];

/** Copies to the mirrors; none without `offline`. */
export const mirrorPhase: Phase = {
  name: 'osa-mirror',
  what: 'Copy images, files, git repositories and packages of the chosen versions to the mirrors',
  hosts: deployGroup,
  tags: [{ name: 'osa-mirror', what: 'everything' }],
  run: 'asked',
  parameters: [],
  applies: ({ osa }) => osa !== undefined && osa.offline.registry !== '',
  render: (cluster, fill) =>
    cluster.osa === undefined
      ? []
      : [
          renderedFile('osa-mirror.yml', fill('osa/mirror.yml.hbs', mirrorView(cluster.osa))),
          mirrorFile(cluster.name, cluster.osa),
          ...['mirror', 'mirror-git'].map((program) =>
            renderedFile(`files/osa/${program}.py`, fill(`osa/${program}.py.hbs`, {})),
          ),
        ],
};
