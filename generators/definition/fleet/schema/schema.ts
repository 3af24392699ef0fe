import * as z from 'zod';
import { directory, matching, name } from '../../schema/judges.ts';
import { choice, list, map, text, whole } from '../../schema/key.ts';
import { hosts, sshDefaults } from '../../schema/machines/machines.ts';
import { review } from '../../schema/review.ts';
import { ansibleServer } from '../../schema/machines/server.ts';
import { fleetDefaults } from '../defaults.ts';
import { fleetClusters } from './clusters.ts';
import type { Gaps } from '../../gaps.ts';

const host = hosts.element.shape;

const fingerprint = matching(
  /^SHA256:[A-Za-z0-9+/]{43}$/,
  'the fingerprint of a key',
  'SHA256: and 43 characters, as `npx task fleet doctor` tells it',
);

const site = text(name, { description: 'The place that an execution node serves', examples: ['paris'] });

const nodes = list(
  map(
    {
      name: host.name,
      address: host.address,
      ssh: host.ssh,
      role: choice(['control', 'hop', 'execution'], {
        description:
          '`control`: work is submitted here, and it is the Ansible server; `hop`: passes traffic on; `execution`: runs playbooks',
        examples: ['execution'],
      }),
      site: site.optional().meta({
        description: 'The place that it serves; every execution node has one, no other node does',
        examples: ['paris'],
        absent: 'none',
      }),
      peers: list(text(name, { description: 'The name of a node', examples: ['hop01'] }), {
        description: 'The nodes that it opens connections to; traffic then goes both ways',
        examples: [['hop01']],
        absent: 'none: others connect to it',
      }).optional(),
      port: whole(1, 65535, {
        description: 'The TCP port on which other nodes reach it',
        examples: [27199],
        default: fleetDefaults.port,
      }).optional(),
      sealingKey: text(fingerprint, {
        description:
          'The fingerprint of the key that secrets for this execution node are sealed to, as `npx task fleet doctor` tells it; another key gets none',
        examples: ['SHA256:XScFhfY9QZFlzIYUGXemnXdzPLTJ+EtTyXXdpzRx6x0'],
        absent: 'not pinned: what the control node says is believed',
      }).optional(),
    },
    { description: 'A node', examples: [{ name: 'exec01', role: 'execution', address: '192.0.2.31' }] },
  ),
  {
    description: 'The nodes of the mesh',
    examples: [[{ name: 'exec01', role: 'execution', address: '192.0.2.31' }]],
  },
);

const certificates = map(
  {
    directory: text(directory, {
      description:
        'A folder on the Ansible server with `ca.crt`, `work.key` and `work.pub`, and for each node `NAME.crt` and `NAME.key`',
      examples: ['/etc/pki/fleet'],
      absent: "Receptor's own authority on the control node makes them",
    }).optional(),
    authority: whole(1, 9999, {
      description:
        'Which authority of the fleet makes them: a greater number gives every node a new key and a certificate of a new authority, and whatever an older one signed opens nothing any more',
      examples: [2],
      default: fleetDefaults.authority,
    }).optional(),
  },
  {
    description:
      'Who makes the certificates of the nodes; those of somebody else hold each the name of its node as Receptor wants it, and its address where other nodes connect to it',
    examples: [{ directory: '/etc/pki/fleet' }],
    absent: "Receptor's own authority on the control node makes them",
  },
);

/** Every key of a definition of kind Fleet. */
export const fleetSchema = map(
  {
    apiVersion: z
      .literal('playsmith/v1')
      .meta({ description: 'The version of this schema', examples: ['playsmith/v1'] }),
    kind: z.literal('Fleet').meta({ description: 'What is defined', examples: ['Fleet'] }),
    metadata: map(
      { name: text(name, { description: 'Its name: its folder under `playbooks/`', examples: ['europe'] }) },
      { description: 'Which one it is', examples: [{ name: 'europe' }] },
    ),
    review,
    ansibleServer,
    ssh: sshDefaults.optional(),
    nodes,
    certificates: certificates.optional(),
    clusters: fleetClusters.optional(),
  },
  { description: 'A mesh of Receptor nodes, and the clusters that are run over it' },
);

export type FleetDefinition = z.output<typeof fleetSchema>;

/** The same with gaps where something is wrong. */
export type FleetDraft = Gaps<FleetDefinition>;
