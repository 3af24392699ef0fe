import * as z from 'zod';
import { choice, list, map, text } from '../../schema/key.ts';
import { host, localPath, name, directory, subnet } from '../../schema/judges.ts';
import { hosts } from '../../schema/machines/machines.ts';
import { review } from '../../schema/review.ts';
import { ansibleServer } from '../../schema/machines/server.ts';
import { osaDefaults } from '../defaults.ts';
import { controlPlane, magnum, magnumHosts } from './magnum.ts';
import { offline } from './offline.ts';
import { functionalTest, proxyService, tls } from './services.ts';
import { collections, versions } from './versions.ts';
import { workloadClusters } from './workload.ts';
import type { Gaps } from '../../gaps.ts';

const openStackAnsible = map(
  {
    release: choice(['2024.2', '2025.1', '2025.2', '2026.1'], {
      description:
        'The release that the deploy host has, which decides which files are written; `npx task probe` asks it',
      examples: ['2025.2'],
    }),
    configuration: list(
      text(localPath, {
        description: 'A copy of one of its files, relative to the definition',
        examples: ['openstack_deploy/openstack_user_config.yml'],
      }),
      {
        description:
          'Copies of `openstack_user_config.yml` and of the files of `conf.d` that somebody else keeps: hosts, networks and addresses are taken from them and checked against them',
        examples: [['openstack_deploy/openstack_user_config.yml']],
        absent: 'nothing is known but what stands here',
      },
    ).optional(),
    configurationDirectory: text(directory, {
      description: 'Where OpenStack-Ansible is configured on the deploy host',
      examples: ['/etc/openstack_deploy'],
      default: osaDefaults.configurationDirectory,
    }).optional(),
    checkout: text(directory, {
      description: 'Where OpenStack-Ansible itself lies on the deploy host',
      examples: ['/opt/openstack-ansible'],
      default: osaDefaults.checkout,
    }).optional(),
    internalAddress: text(host, {
      description: 'Its internal virtual address, by which the API of the control plane is reached',
      examples: ['172.29.236.9'],
      absent: 'from `configuration`',
    }).optional(),
    internalBindAddress: text(host, {
      description: 'The address that HAProxy listens on, where `internalAddress` is a name',
      examples: ['172.29.236.9'],
      absent: '`internalAddress`',
    }).optional(),
    externalAddress: text(host, {
      description: 'Its external virtual address',
      examples: ['203.0.113.10'],
      absent: 'from `configuration`',
    }).optional(),
    networks: list(text(subnet, { description: 'A network', examples: ['172.29.236.0/22'] }), {
      description: 'Networks that are in use there; what is new must overlap none of them',
      examples: [['172.29.236.0/22']],
      absent: 'those of `configuration`',
    }).optional(),
    hooks: choice(['enabled', 'disabled'], {
      description:
        '`enabled`: the set-up playbooks of OpenStack-Ansible call those of the driver at the right moments',
      examples: ['enabled'],
      default: osaDefaults.hooks,
    }).optional(),
  },
  { description: 'The OpenStack-Ansible that is there', examples: [{ release: '2025.2' }] },
);

/** Every key of a definition of kind OpenStackAnsibleMagnum. */
export const osaSchema = map(
  {
    apiVersion: z
      .literal('playsmith/v1')
      .meta({ description: 'The version of this schema', examples: ['playsmith/v1'] }),
    kind: z
      .literal('OpenStackAnsibleMagnum')
      .meta({ description: 'What is defined', examples: ['OpenStackAnsibleMagnum'] }),
    metadata: map(
      {
        name: text(name, {
          description: 'Its name: its folder under `playbooks/` and its lock',
          examples: ['cloud-a'],
        }),
      },
      { description: 'Which one it is', examples: [{ name: 'cloud-a' }] },
    ),
    review,
    ansibleServer,
    deployHost: hosts.element
      .meta({
        description:
          'The deploy host of OpenStack-Ansible, reached from the Ansible server; its user becomes root',
        examples: [{ name: 'deploy01', address: '172.29.236.5', ssh: { user: 'root' } }],
        absent: 'the Ansible server is the deploy host',
      })
      .optional(),
    openStackAnsible,
    controlPlane,
    magnum: magnum.optional(),
    octavia: map(
      { hosts: magnumHosts('Hosts of Octavia; a file of `conf.d` is written for them') },
      { description: 'Octavia, which gives workload clusters their load balancers', examples: [{}] },
    ).optional(),
    versions: versions.optional(),
    collections: collections.optional(),
    tls: tls.optional(),
    proxy: proxyService.optional(),
    functionalTest: functionalTest.optional(),
    offline: offline.optional(),
    workloadClusters: workloadClusters.optional(),
  },
  { description: "Magnum's Cluster API driver in an OpenStack-Ansible deployment" },
);

export type OsaDefinition = z.output<typeof osaSchema>;

/** The same with gaps where something is wrong. */
export type OsaDraft = Gaps<OsaDefinition>;
