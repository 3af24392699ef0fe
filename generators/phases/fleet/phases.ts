import type { Cluster, Fleet, FleetCertificates, FleetNode } from '../../cluster/cluster.ts';
import type { Fill } from '../../engine.ts';
import { program, renderedFile, type Phase } from '../phase.ts';
import type { RenderedFile } from '../../rendered-file.ts';
import { hostInUrl } from '../../source/networks.ts';

/** The playbooks of a mesh: what builds it, in the order in which they are run; and what is asked for by its name. */
export const fleetPhases: readonly Phase[] = [
  {
    ...common('mesh-install', 'Install Receptor on every node, and Ansible on execution nodes'),
    render: (_, fill) => [renderedFile('mesh-install.yml', fill('mesh/mesh-install.yml.hbs', {}))],
  },
  {
    ...common('mesh-certificates', 'Give every node its certificate, and renew it 30 days before it ends'),
    render: withFleet((fleet, cluster, fill) => {
      const { certificates } = fleet;
      const view = {
        own: certificates.kind === 'receptor',
        directory: certificates.kind === 'given' ? certificates.directory : '',
        ...authorityOf(certificates),
        // Others reach a node that listens by its address, and compare that with its certificate.
        nodes: fleet.nodes.map(({ name, port, address }) => (port === 0 ? name : `${name}=${address}`)),
        commonName: `commonname=Fleet ${cluster.name}`,
      };
      return [
        renderedFile('mesh-certificates.yml', fill('mesh/mesh-certificates.yml.hbs', view)),
        view.own
          ? renderedFile('files/mesh/request.py', fill('mesh/request.py.hbs', { reading: reading(fill) }))
          : renderedFile('files/mesh/given.py', fill('mesh/given.py.hbs', {})),
      ];
    }),
  },
  {
    ...common('mesh-configuration', 'Configure and start Receptor, one node at a time'),
    render: withFleet((fleet, cluster, fill) => [
      renderedFile('mesh-configuration.yml', fill('mesh/mesh-configuration.yml.hbs', {})),
      program('files/mesh/worker.sh', fill('mesh/worker.sh.hbs', {})),
      ...fleet.nodes.flatMap((node) => nodeFiles(node, fleet, cluster, fill)),
    ]),
  },
  {
    ...common('mesh-verify', 'Check that every node answers over the mesh'),
    hosts: 'mesh_control',
    render: (_, fill) => [renderedFile('mesh-verify.yml', fill('mesh/mesh-verify.yml.hbs', {}))],
  },
  {
    ...common(
      'mesh-upgrade',
      'Upgrade Receptor and Ansible to what the package sources have, one node at a time',
    ),
    run: 'asked',
    render: (_, fill) => [renderedFile('mesh-upgrade.yml', fill('mesh/mesh-upgrade.yml.hbs', {}))],
  },
];

/** What reads a request, as modules of hosts have it. */
const reading = (fill: Fill): string =>
  fill('collection/plugins/module_utils/requested_names.py', {}).trimEnd();

/** Where the authority lies, and how what it was asked is named; each that takes the place of another has a number. */
function authorityOf(certificates: FleetCertificates): {
  readonly authority: string;
  readonly suffix: string;
} {
  const number = certificates.kind === 'receptor' && certificates.authority > 1 ? certificates.authority : '';
  const numbered = number === '' ? '' : `-${String(number)}`;
  return { authority: `/etc/receptor/playsmith/authority${numbered}`, suffix: `${numbered}.req` };
}

function common(name: string, what: string): Omit<Phase, 'render'> {
  return {
    name,
    what,
    hosts: 'mesh',
    tags: [{ name, what: 'everything' }],
    run: 'instantiate',
    parameters: [],
    applies: ({ fleet }) => fleet !== undefined,
  };
}

function withFleet(
  render: (fleet: Fleet, cluster: Cluster, fill: Fill) => readonly RenderedFile[],
): Phase['render'] {
  return (cluster, fill) => (cluster.fleet === undefined ? [] : render(cluster.fleet, cluster, fill));
}

function nodeFiles(node: FleetNode, fleet: Fleet, cluster: Cluster, fill: Fill): readonly RenderedFile[] {
  const { name, role, user, port, address, peers, dialledBy } = node;
  const view = {
    ...{ name, peers },
    asked: role === 'execution' ? [{ from: fleet.control }] : [],
    listener: port === 0 ? [] : [{ address: hostInUrl(address), port, dialledBy }],
    signs: role === 'control',
    works: role === 'execution',
  };
  const folder = `files/mesh/${name}`;
  return [
    renderedFile(`${folder}/receptor.conf`, fill('mesh/receptor.conf.hbs', view)),
    renderedFile(
      `${folder}/playsmith-receptor.service`,
      fill('mesh/service.hbs', { ...view, fleet: cluster.name, user }),
    ),
  ];
}
