import { absolutePath } from '../../schema/judges.ts';
import { choice, map, oneOf, text, whole } from '../../schema/key.ts';
import * as z from 'zod';
import { osaDefaults } from '../defaults.ts';
import { httpUrl, imageVersion, osaGroup, resourceName } from '../judges.ts';

const authority = oneOf(
  {
    file: text(absolutePath, {
      description: 'Its certificate, on every host of Magnum, readable for the user magnum',
      examples: ['/usr/local/share/ca-certificates/corporate.crt'],
    }).optional(),
  },
  { description: 'An authority of your own', examples: [{ file: '/usr/local/share/ca-certificates/corporate.crt' }] },
);

export const tls = map(
  {
    external: z
      .union([
        choice(['osa-pki', 'public'], { description: 'An authority by its kind', examples: ['osa-pki'] }),
        authority,
      ])
      .meta({
        description:
          'Who signed the certificate of the external endpoints: OpenStack-Ansible itself, an authority that every system trusts, or one of your own',
        examples: ['osa-pki', 'public', { file: '/usr/local/share/ca-certificates/corporate.crt' }],
        default: osaDefaults.external,
      })
      .optional(),
    internal: z
      .union([
        choice(['http', 'osa-pki', 'public'], { description: 'An authority by its kind', examples: ['http'] }),
        authority,
      ])
      .meta({
        description: 'The same for the internal endpoints; `http`: they have none',
        examples: ['http', 'osa-pki'],
        default: osaDefaults.internal,
      })
      .optional(),
    endpoint: choice(['internal', 'public'], {
      description: 'Which endpoints the provider of Cluster API uses. Nodes of workload clusters use the public ones',
      examples: ['internal'],
      absent: '`internal`; `public` with the driver `azimuth`',
    }).optional(),
  },
  { description: 'Certificates of OpenStack and who trusts them', examples: [{ external: 'public' }] },
);

export const proxyService = map(
  {
    hosts: text(osaGroup, {
      description:
        'The group whose hosts run it: where the metadata agent runs. OVN: `compute_hosts` or `neutron_ovn_controller`; Open vSwitch: `neutron_metadata_agent`',
      examples: ['compute_hosts'],
    }),
    port: whole(1024, 65535, {
      description: 'Its port on the management address; where it is taken the proxy takes another one without a word',
      examples: [osaDefaults.proxyPort],
      default: osaDefaults.proxyPort,
    }).optional(),
  },
  {
    description: 'The proxy by which the control plane reaches workload clusters that have no floating address',
    examples: [{ hosts: 'compute_hosts' }],
    absent: 'none',
  },
);

export const functionalTest = map(
  {
    kubernetes: text(imageVersion, {
      description: 'The version of Kubernetes of the test, which an image must exist for',
      examples: ['v1.28.13'],
      absent: "that of OpenStack-Ansible's own test",
    }).optional(),
    imageUrl: text(httpUrl, {
      description: 'The image',
      examples: ['https://images.example.org/ubuntu-2204-kube-v1.28.13.qcow2'],
      absent: "that of OpenStack-Ansible's own test, from the internet",
    }).optional(),
    externalNetwork: text(resourceName, {
      description: 'The network of the cloud that floating addresses of the test come from; with `flavor`',
      examples: ['public'],
      absent: 'the test makes a network `public` of its own, as an all-in-one wants it, and `osa-functional-test` asks first',
    }).optional(),
    flavor: text(resourceName, {
      description: 'The flavor of its nodes; with `externalNetwork`',
      examples: ['m1.medium'],
      absent: 'the test makes a flavor `m1.medium` of its own',
    }).optional(),
    masters: whole(1, 5, { description: 'Control planes of it', examples: [1], default: osaDefaults.masters }).optional(),
    workers: whole(1, 9, { description: 'Workers of it', examples: [1], default: osaDefaults.workers }).optional(),
  },
  { description: "OpenStack-Ansible's functional test of the driver", examples: [{ workers: 2 }] },
);
