import * as z from 'zod';
import { cnfs } from './cnf/cnf.ts';
import { containerd } from './kubernetes/containerd.ts';
import { extraPlaybooks } from './extra-playbooks.ts';
import { drills } from './kubernetes/drills.ts';
import { controlPlaneEndpoint } from './load-balancer/endpoint.ts';
import { externalLoadBalancer } from './load-balancer/external-load-balancer.ts';
import { name, uid } from './judges.ts';
import { map, oneOf, text } from './key.ts';
import { kubeadm } from './kubernetes/kubeadm.ts';
import { kubespray } from './kubespray/kubespray.ts';
import { hosts, nodes, sshDefaults } from './machines/machines.ts';
import { messages } from './messages.ts';
import { network, proxy } from './kubernetes/network.ts';
import { offline } from './kubernetes/offline.ts';
import { patch } from './patch.ts';
import { review } from './review.ts';
import { ansibleServer } from './machines/server.ts';
import { schedule } from './schedule.ts';
import { storage } from './storage/storage.ts';
import type { Gaps } from '../gaps.ts';

/** Every key of a definition: what it may hold, and what the reference page and editors say about it. */
export const schema = map(
  {
    apiVersion: z
      .literal('playsmith/v1')
      .meta({ description: 'The version of this schema', examples: ['playsmith/v1'] }),
    kind: z.literal('Cluster').meta({ description: 'What is defined', examples: ['Cluster'] }),
    metadata: map(
      {
        name: text(name, {
          description: 'The name of the cluster: its folder under `playbooks/` and its lock',
          examples: ['edge-a'],
        }),
        uid: text(uid, {
          description:
            'Distinguishes the cluster from others of the same name, on the hosts that belong to it; what `uuidgen` prints',
          examples: ['1f0e8a52-6f4b-4c39-9d1e-0c6a6a0f6f10'],
          absent: 'its name alone does',
        }).optional(),
      },
      { description: 'Which one it is', examples: [{ name: 'edge-a' }] },
    ),
    review,
    ansibleServer,
    installer: oneOf(
      { kubeadm: kubeadm.optional(), kubespray: kubespray.optional() },
      {
        description: 'Who installs Kubernetes',
        examples: [{ kubeadm: { version: '1.37.2' } }],
        absent: 'Kubernetes is installed by other means; only what surrounds it is built',
      },
    ).optional(),
    containerd: containerd.optional(),
    offline: offline.optional(),
    network: network.optional(),
    ssh: sshDefaults.optional(),
    controlPlaneEndpoint: controlPlaneEndpoint.optional(),
    nodes,
    hosts: hosts.optional(),
    storage,
    externalLoadBalancer: externalLoadBalancer.optional(),
    cnfs: cnfs.optional(),
    drills: drills.optional(),
    extraPlaybooks: extraPlaybooks.optional(),
    patch: patch.optional(),
    messages: messages.optional(),
    schedule: schedule.optional(),
    proxy: proxy.optional(),
  },
  { description: 'A cluster and what stands around it' },
);

/** A definition whose every value is sound by itself; `checks` says whether they fit together. */
export type Definition = z.output<typeof schema>;

/** A definition with gaps where something is wrong, so that the rest can still be checked. */
export type Draft = Gaps<Definition>;
