import { list, map, text } from '../../schema/key.ts';
import { magnumDrivers } from '../../../catalog/openstack-ansible/drivers.ts';
import { collectionName, driverTag, exactVersion, gitRef, httpUrl } from '../judges.ts';

const exact = (description: string, example: string) =>
  text(exactVersion, {
    description,
    examples: [example],
    absent: 'what was tried with the release',
    instead: `"${example}"`,
  }).optional();

export const versions = map(
  {
    driver: text(driverTag, {
      description: "The tag of Magnum's Cluster API driver",
      examples: ['v0.24.2'],
      absent: 'what was tried with the release',
    }).optional(),
    driverSource: text(httpUrl, {
      description: 'Its git repository',
      examples: [magnumDrivers.vexxhost.source],
      absent: `\`${magnumDrivers.vexxhost.source}\`, or \`${magnumDrivers.azimuth.source}\``,
    }).optional(),
    charts: exact('capi-helm-charts, with which the driver `azimuth` makes clusters', '0.22.0'),
    addonProvider: exact('cluster-api-addon-provider, for the driver `azimuth`', '0.10.4'),
    clusterctl: exact('`clusterctl` on the control plane', '1.8.4'),
    clusterApi: exact('Cluster API itself', '1.8.4'),
    provider: exact("Cluster API's provider for OpenStack", '0.11.2'),
    kubernetes: exact('Kubernetes of the control plane', '1.28.13'),
  },
  { description: 'Versions; each must be one that the pinned collection has', examples: [{ driver: 'v0.24.2' }] },
);

export const collections = list(
  map(
    {
      name: text(collectionName, { description: 'Its name', examples: ['vexxhost.kubernetes'] }),
      source: text(httpUrl, {
        description: 'Its git repository; without one OpenStack-Ansible drops the entry',
        examples: ['https://github.com/vexxhost/ansible-collection-kubernetes'],
      }),
      version: text(gitRef, {
        description: 'A commit or a tag; a branch may be another one tomorrow',
        examples: ['0f058db4a27d1be14d05aefe2536c9c32d7eb7d5'],
        instead: 'the same in "quotes"',
      }),
    },
    { description: 'A collection', examples: [{ name: 'vexxhost.kubernetes' }] },
  ),
  {
    description: 'Collections in place of those that are pinned for the release, or beside them',
    examples: [[{ name: 'vexxhost.kubernetes', source: 'https://git.example.org/kubernetes', version: 'v1' }]],
    absent: 'those that are pinned for the release',
  },
);
