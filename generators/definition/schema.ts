import { z } from 'zod';
import { defaults } from './defaults.ts';
import { controlPlaneEndpoint } from './schema/endpoint.ts';
import { name, version } from './schema/judges.ts';
import { choice, map, oneOf, text } from './schema/key.ts';
import { hosts, nodes, sshDefaults } from './schema/machines.ts';
import { network, proxy } from './schema/network.ts';
import { ansibleServer } from './schema/server.ts';

/** Every key of a definition: what it may hold, and what the reference page and editors say about it. */
export const schema = map(
  {
    apiVersion: z
      .literal('playsmith/v1')
      .meta({ description: 'The version of this form', examples: ['playsmith/v1'] }),
    kind: z.literal('Cluster').meta({ description: 'What is defined', examples: ['Cluster'] }),
    metadata: map(
      {
        name: text(name, {
          description: 'The name of the cluster: its folder under `playbooks/` and its lock',
          examples: ['edge-a'],
        }),
      },
      { description: 'Which one it is', examples: [{ name: 'edge-a' }] },
    ),
    review: choice(['optional', 'required'], {
      description: '`required`: only what is committed in git is run',
      examples: ['required'],
      default: defaults.review,
    }).optional(),
    ansibleServer,
    installer: oneOf(
      {
        kubeadm: map(
          { version: text(version, { description: 'The version of Kubernetes', examples: ['1.34.1'] }) },
          { description: "kubeadm, by Playsmith's own playbooks", examples: [{ version: '1.34.1' }] },
        ).optional(),
      },
      {
        description: 'Who installs Kubernetes',
        examples: [{ kubeadm: { version: '1.34.1' } }],
        absent: 'somebody else; what stands around Kubernetes is built',
      },
    ).optional(),
    network: network.optional(),
    ssh: sshDefaults.optional(),
    controlPlaneEndpoint: controlPlaneEndpoint.optional(),
    nodes,
    hosts: hosts.optional(),
    proxy: proxy.optional(),
  },
  { description: 'A cluster and what stands around it' },
);

/** A definition whose every value is sound by itself; `checks` says whether they fit together. */
export type Definition = z.output<typeof schema>;

/** A definition with gaps where something is wrong, so that the rest can still be checked. */
export type Draft = Gaps<Definition>;

type Gaps<Value> = Value extends readonly (infer Item)[]
  ? readonly (Gaps<Item> | undefined)[]
  : Value extends object
    ? { readonly [Key in keyof Value]?: Gaps<Value[Key]> | undefined }
    : Value;
