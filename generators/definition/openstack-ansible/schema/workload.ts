import * as z from 'zod';
import { absolutePath } from '../../schema/judges.ts';
import { choice, free, list, map, oneOf, text, whole } from '../../schema/key.ts';
import { osaDefaults } from '../defaults.ts';
import { httpUrl, imageVersion, labelValue, resourceName, sha256, workloadName } from '../judges.ts';

const labels = (description: string) =>
  free(
    z.union([z.string(), z.number(), z.boolean()]).meta({ description: 'Its value' }),
    (values) =>
      Object.entries(values).flatMap(([key, value]) => {
        const verdict = labelValue(String(value));
        return verdict ? [{ ...verdict, path: [key] }] : [];
      }),
    { description, examples: [{ boot_volume_size: 20 }], absent: "the driver's defaults" },
  ).optional();

const name = (description: string, example: string) =>
  text(workloadName, { description, examples: [example] });

const resource = (description: string, example: string) =>
  text(resourceName, { description, examples: [example] });

const visibility = choice(['public', 'private'], {
  description: 'Who may use it',
  examples: ['public'],
  default: osaDefaults.visibility,
}).optional();

const flavors = list(
  map(
    {
      name: resource('Its name in Nova', 'm1.medium'),
      cpus: whole(1, 512, { description: 'Virtual processors', examples: [2] }),
      memory: whole(512, 4_194_304, { description: 'MiB of memory', examples: [4096] }),
      disk: whole(0, 65_536, {
        description: 'GB of its disk; 0 where `boot_volume_size` gives every node a volume',
        examples: [40],
      }),
      visibility,
    },
    { description: 'A flavor', examples: [{ name: 'm1.medium', cpus: 2, memory: 4096, disk: 40 }] },
  ),
  {
    description: 'Flavors that are made in Nova where they lack; one that is there is never changed',
    examples: [[{ name: 'm1.medium', cpus: 2, memory: 4096, disk: 40 }]],
    absent: 'those of the templates have to be there',
  },
).optional();

const images = list(
  map(
    {
      name: resource('Its name in Glance', 'ubuntu-2204-kube-v1.31.1'),
      kubernetes: text(imageVersion, {
        description: 'The version of Kubernetes in it; clusters get this one',
        examples: ['v1.31.1'],
      }),
      from: oneOf(
        {
          url: text(httpUrl, {
            description: 'Where it is downloaded from, by the deploy host',
            examples: ['https://images.example.org/ubuntu-2204-kube-v1.31.1.qcow2'],
          }).optional(),
          file: text(absolutePath, {
            description: 'A file on the deploy host',
            examples: ['/srv/images/ubuntu-2204-kube-v1.31.1.qcow2'],
          }).optional(),
        },
        { description: 'The qcow2 file', examples: [{ file: '/srv/images/kube.qcow2' }] },
      ),
      sha256: text(sha256, {
        description: 'SHA-256 of the file, checked before it is uploaded',
        examples: ['a7f40cde4e4a4f7119a52713386238ebcfa8691e7683b5afb823439ea81a8729'],
        absent: 'nothing is checked',
      }).optional(),
      distribution: choice(['ubuntu', 'flatcar', 'rockylinux', 'debian'], {
        description: 'What `os_distro` of the image says; it decides which driver Magnum takes',
        examples: ['ubuntu'],
        default: osaDefaults.distribution,
      }).optional(),
      visibility,
    },
    { description: 'An image of nodes', examples: [{ name: 'kube', kubernetes: 'v1.31.1' }] },
  ),
  { description: 'Images of nodes, each with one version of Kubernetes', examples: [[{ name: 'kube' }]] },
);

const templates = list(
  map(
    {
      name: name('Its name; Magnum sees it with a digest of what is in it', 'small'),
      image: resource('One of `images`', 'ubuntu-2204-kube-v1.31.1'),
      externalNetwork: resource('The network that floating addresses come from', 'public'),
      flavor: resource('The flavor of workers', 'm1.medium'),
      controlPlaneFlavor: text(resourceName, {
        description: 'The flavor of control planes',
        examples: ['m1.medium'],
        absent: '`flavor`',
      }).optional(),
      networkDriver: choice(['calico', 'cilium'], {
        description: 'One of `magnum.networkDrivers`',
        examples: ['calico'],
        absent: 'the first of `magnum.networkDrivers`',
      }).optional(),
      dnsServer: text(resourceName, {
        description: 'The name server of the nodes',
        examples: ['192.0.2.53'],
        absent: "Magnum's own, 8.8.8.8",
      }).optional(),
      dockerVolume: whole(1, 4096, {
        description: 'GB of a volume for images and containers of each node',
        examples: [40],
        absent: 'none',
      }).optional(),
      visibility,
      labels: labels('Labels of the driver, checked against its version'),
    },
    { description: 'A template', examples: [{ name: 'small', image: 'kube' }] },
  ),
  { description: 'Templates of clusters', examples: [[{ name: 'small', image: 'kube' }]] },
);

const largeGroup = { name: 'large', labels: { availability_zone: 'nova' } };

const nodeGroups = list(
  map(
    {
      name: name('Its name in Magnum', 'large'),
      flavor: text(resourceName, {
        description: 'The flavor of its nodes',
        examples: ['m1.large'],
        absent: '`flavor` of the template',
      }).optional(),
      workers: whole(0, 500, {
        description: 'How many nodes',
        examples: [2],
        default: osaDefaults.workers,
      }).optional(),
      labels: labels(
        'Labels of this group, beside those of its cluster; `availability_zone` with magnum-cluster-api from 0.31 on, unless its cluster or template has it',
      ),
    },
    { description: 'A group', examples: [largeGroup] },
  ),
  {
    description: 'Groups of workers beside those of `workers`; one that is no longer here stays',
    examples: [[largeGroup]],
    absent: 'none',
  },
).optional();

const clusters = list(
  map(
    {
      name: name('Its name in Magnum', 'demo'),
      template: name('One of `templates`; another image in it is an upgrade', 'small'),
      keypair: text(resourceName, {
        description: 'The key pair of Nova for logins to nodes',
        examples: ['operators'],
        absent: 'none',
      }).optional(),
      controlPlanes: whole(1, 7, {
        description: 'How many control planes; an odd number',
        examples: [3],
        default: osaDefaults.masters,
      }).optional(),
      workers: whole(0, 500, {
        description: 'How many workers; with `auto_scaling_enabled` only at the beginning',
        examples: [2],
        default: osaDefaults.workers,
      }).optional(),
      floatingAddress: choice(['enabled', 'disabled'], {
        description: '`disabled`: its API has no floating address; it needs the `proxy`, and cannot be upgraded',
        examples: ['enabled'],
        default: 'enabled',
      }).optional(),
      network: text(resourceName, {
        description: 'A network of Neutron that is there',
        examples: ['tenant-net'],
        absent: 'one of its own',
      }).optional(),
      subnet: text(resourceName, {
        description: 'A subnet of `network`',
        examples: ['tenant-subnet'],
        absent: 'one of its own',
      }).optional(),
      minutes: whole(5, 600, {
        description: 'How long a change of it may take before it counts as stuck',
        examples: [60],
        default: osaDefaults.minutes,
      }).optional(),
      labels: labels('Labels of this cluster, beside those of its template'),
      nodeGroups,
    },
    { description: 'A cluster', examples: [{ name: 'demo', template: 'small' }] },
  ),
  {
    description: 'Clusters; one that is no longer here is deleted only when `osa-workload-delete` is told so',
    examples: [[{ name: 'demo', template: 'small' }]],
    absent: 'images and templates alone',
  },
).optional();

export const workloadClusters = map(
  {
    client: choice(['utility', 'deploy-host'], {
      description: "Where `openstack` runs: in OpenStack-Ansible's utility container, or on the deploy host",
      examples: ['utility'],
      default: osaDefaults.client,
    }).optional(),
    cloud: text(resourceName, {
      description: 'The entry of `clouds.yaml` there',
      examples: ['default'],
      default: osaDefaults.cloud,
    }).optional(),
    flavors,
    images,
    templates,
    clusters,
  },
  { description: 'Kubernetes clusters that Magnum makes', examples: [{ client: 'utility' }], absent: 'none' },
);
