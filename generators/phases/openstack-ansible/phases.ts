import type { Cluster, OpenStackAnsibleMagnum } from '../../cluster/cluster.ts';
import type { Fill } from '../../engine.ts';
import { sha256 } from '../../digest.ts';
import { renderedFile, type Parameter, type Phase } from '../phase.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { deployGroup } from './groups.ts';
import { allInOne, releases } from '../../catalog/openstack-ansible/releases.ts';
import { removal } from './removal.ts';
import { osaSteps, type OsaStep, type OsaSteps } from './steps.ts';
import { osaTree, treeFolder } from './tree/tree.ts';
import { makesItsOwn } from './tree/functional-test.ts';
import { mirrorPhase, workloadPhases } from './workload-phases.ts';

const again: Parameter = {
  variable: 'osa_from',
  what: 'the step to begin with, although it and those after it were done; `first`: all of them',
  required: false,
  pattern: '[a-z][a-z-]*',
  example: 'first',
};

/** The playbooks of a definition of kind OpenStackAnsibleMagnum, in the order in which they are run. */
export const osaPhases: readonly Phase[] = [
  {
    ...common(
      'osa-place',
      'Install the files into the configuration of OpenStack-Ansible, once its own inventory accepts them',
    ),
    run: 'instantiate',
    parameters: [
      {
        variable: 'osa_place_adopt',
        what: 'files of somebody else that may be replaced, joined by commas; a copy of each is kept',
        required: false,
        pattern: '[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*(,[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*)*',
        example: 'user-collection-requirements.yml',
      },
    ],
    applies: isOsa,
    render: withOsa((cluster, osa, fill) => [
      renderedFile('osa-place.yml', fill('osa/place.yml.hbs', placeView(cluster, osa))),
      ...osaTree(cluster.name, osa),
      ...programs(fill, 'inventory'),
    ]),
  },
  commands(
    'osa-deploy-new',
    'Set a new OpenStack up with the driver, step by step',
    ({ deployNew }) => deployNew,
  ),
  commands(
    'osa-deploy-existing',
    'Add the driver to an OpenStack that is there, in the order that its version needs',
    ({ deployExisting }) => deployExisting,
  ),
  commands(
    'osa-magnum-proxy',
    'Install the proxy between the control plane and workload clusters',
    ({ proxy }) => proxy,
  ),
  commands(
    'osa-functional-test',
    "Make a workload cluster, test it and delete it, by OpenStack-Ansible's own test",
    ({ functionalTest }) => functionalTest,
    [
      {
        variable: 'osa_functional_test_confirm',
        what: 'the name of the deployment, where `functionalTest` names no network and flavor and the test makes its own',
        required: false,
        pattern: '[a-z0-9]([a-z0-9-]*[a-z0-9])?',
        example: 'cloud-a',
      },
    ],
  ),
  {
    ...common(
      'osa-remove-host',
      'Remove a host from the control plane and its entries from the inventory, before its file loses it',
    ),
    run: 'asked',
    parameters: [
      {
        variable: 'osa_remove_host_name',
        what: 'the host that leaves, as OpenStack-Ansible names it',
        required: true,
        pattern: '[A-Za-z][A-Za-z0-9.-]*',
        example: 'infra3',
      },
      {
        variable: 'osa_remove_host_dead',
        what: '`yes`: it will not answer any more, and its member is taken out of etcd by those that stay',
        required: false,
        pattern: 'yes|no',
        example: 'yes',
      },
      {
        variable: 'osa_remove_host_confirm',
        what: 'the name of the deployment, since the containers of the host and what is in them are destroyed',
        required: true,
        pattern: '[a-z0-9]([a-z0-9-]*[a-z0-9])?',
        example: 'cloud-a',
      },
    ],
    applies: (cluster) => cluster.osa?.controlPlane.placement === 'containers',
    render: withOsa((cluster, osa, fill) => [
      renderedFile(
        'osa-remove-host.yml',
        fill('osa/remove-host.yml.hbs', { ...placeView(cluster, osa), removal: numberSteps(removal) }),
      ),
      ...programs(fill, 'containers'),
      renderedFile('files/osa/remove-member.sh', fill('osa/remove-member.sh.hbs', {})),
    ]),
  },
  mirrorPhase,
  ...workloadPhases,
];

function common(name: string, what: string): Pick<Phase, 'name' | 'what' | 'hosts' | 'tags'> {
  return { name, what, hosts: deployGroup, tags: [{ name, what: 'everything' }] };
}

function isOsa({ osa }: Cluster): boolean {
  return osa !== undefined;
}

/** A playbook that runs commands one after the other; a run goes on at the one that was not done. */
function commands(
  name: string,
  what: string,
  stepsOf: (steps: OsaSteps) => readonly OsaStep[],
  more: readonly Parameter[] = [],
): Phase {
  return {
    ...common(name, what),
    run: 'asked',
    parameters: [again, ...more],
    applies: ({ osa }) => osa !== undefined && stepsOf(osaSteps(osa)).length > 0,
    render: withOsa((cluster, osa, fill) => [
      renderedFile(
        `${name}.yml`,
        fill('osa/commands.yml.hbs', {
          ...placeView(cluster, osa),
          name,
          what,
          confirms: more.length > 0 && makesItsOwn(osa),
          steps: numberSteps(stepsOf(osaSteps(osa))),
        }),
      ),
    ]),
  };
}

const numberSteps = (
  steps: readonly Pick<OsaStep, 'name' | 'what'>[],
): readonly Readonly<Record<string, unknown>>[] =>
  steps.map((each, index) => ({ always: false, ...each, index, number: index + 1, total: steps.length }));

/** Programs of the deploy host; playbooks share them, so a bundle has each once. */
const programs = (fill: Fill, ...names: readonly string[]): readonly RenderedFile[] =>
  names.map((name) => renderedFile(`files/osa/${name}.py`, fill(`osa/${name}.py.hbs`, {})));

const placeView = (cluster: Cluster, osa: OpenStackAnsibleMagnum): Readonly<Record<string, unknown>> => {
  const tree = osaTree(cluster.name, osa);
  const containers = osa.controlPlane.hosts.reduce((sum, each) => sum + each.containers, 0);
  return {
    cluster: cluster.name,
    directory: osa.configurationDirectory,
    checkout: osa.checkout,
    release: osa.release,
    layout: osa.layout,
    major: releases[osa.release]?.major ?? 0,
    metal: osa.controlPlane.placement === 'metal',
    containers,
    hosts: osa.controlPlane.hosts.map(({ name }) => name),
    allInOne,
    groups: ['magnum_all', 'octavia_all', ...(osa.proxy.hosts === '' ? [] : [osa.proxy.hosts])],
    folder: treeFolder,
    paths: tree.map(({ path }) => path.slice(treeFolder.length + 1)),
    digest: sha256(tree.map(({ path, text }) => JSON.stringify([path, text])).join('\n')),
    consequences: [
      ...osa.tls.consequences,
      ...(osa.proxy.hosts === ''
        ? []
        : [
            'with the proxy, clusters without a floating address cannot be upgraded: the name in their kubeconfig is known in the control plane alone',
          ]),
    ],
  };
};

function withOsa(
  render: (cluster: Cluster, osa: OpenStackAnsibleMagnum, fill: Fill) => readonly RenderedFile[],
): Phase['render'] {
  return (cluster, fill) => (cluster.osa === undefined ? [] : render(cluster, cluster.osa, fill));
}
