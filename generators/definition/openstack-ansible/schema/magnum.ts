import * as z from 'zod';
import { address, subnet } from '../../schema/judges.ts';
import { choice, free, list, map, text, whole } from '../../schema/key.ts';
import { osaDefaults } from '../defaults.ts';
import { osaHost } from '../judges.ts';

const setting = z
  .union([z.string(), z.number(), z.boolean(), z.array(z.string())])
  .meta({ description: 'A string, a number, a boolean, or a list of strings' });

const hostKeys = {
  name: text(osaHost, { description: 'Its name in OpenStack-Ansible', examples: ['infra1'] }),
  address: text(address, {
    description: 'Its address there; the same that other groups name for it',
    examples: ['172.29.236.11'],
  }),
};

/** Hosts of a service, as a group of OpenStack-Ansible's configuration names them. */
export const magnumHosts = (description: string) =>
  list(map(hostKeys, { description: 'A host', examples: [{ name: 'infra1', address: '172.29.236.11' }] }), {
    description,
    examples: [[{ name: 'infra1', address: '172.29.236.11' }]],
    absent: 'somebody else names them',
  }).optional();

export const controlPlane = map(
  {
    hosts: list(
      map(
        {
          ...hostKeys,
          containers: whole(1, 5, {
            description: 'Containers of the control plane on it; 3 on a single host, to try high availability',
            examples: [1],
            default: 1,
          }).optional(),
        },
        { description: 'A host', examples: [{ name: 'infra1', address: '172.29.236.11' }] },
      ),
      {
        description: 'The hosts of the control plane: one, or three',
        examples: [[{ name: 'infra1', address: '172.29.236.11' }]],
        absent: 'those of `configuration`: the shared infrastructure hosts, the first three of them',
      },
    ).optional(),
    placement: choice(['containers', 'metal'], {
      description: '`metal`: on the hosts themselves, which OpenStack-Ansible has not tested',
      examples: ['containers'],
      default: osaDefaults.placement,
    }).optional(),
    system: choice(['debian', 'redhat'], {
      description: 'The family of the system of its hosts',
      examples: ['debian'],
      default: osaDefaults.system,
    }).optional(),
    podSubnet: text(subnet, {
      description: 'Addresses of its pods',
      examples: ['172.29.200.0/22'],
      default: osaDefaults.podSubnet,
    }).optional(),
    backups: choice(['enabled', 'disabled'], {
      description: 'Regular copies of what Cluster API keeps; from release 2026.1 on',
      examples: ['enabled'],
      default: osaDefaults.backups,
    }).optional(),
    haproxyService: free(setting, (values) => words(values), {
      description: 'Keys of the haproxy service, beside ours, as the role haproxy_server reads them',
      examples: [{ haproxy_timeout_server: '30m' }],
      absent: 'ours',
    }).optional(),
  },
  { description: 'The Kubernetes on which Cluster API runs', examples: [{ podSubnet: '172.29.200.0/22' }] },
);

export const magnum = map(
  {
    hosts: magnumHosts('Hosts of Magnum; a file of `conf.d` is written for them'),
    driver: choice(['vexxhost', 'azimuth'], {
      description:
        'The Cluster API driver: magnum-cluster-api, or from release 2026.1 on magnum-capi-helm. Magnum gets one of them',
      examples: ['vexxhost'],
      default: osaDefaults.driver,
    }).optional(),
    certManager: choice(['barbican', 'x509keypair', 'local'], {
      description: 'Where Magnum keeps certificates',
      examples: ['barbican'],
      default: osaDefaults.certManager,
    }).optional(),
    networkDrivers: list(
      choice(['calico', 'cilium'], { description: 'A network driver', examples: ['calico'] }),
      {
        description: 'What workload clusters may choose from; the first is used where they choose none',
        examples: [['calico']],
        default: osaDefaults.networkDrivers,
      },
    ).optional(),
    configuration: free(
      z.record(z.string(), setting).meta({ description: 'Options of the section' }),
      (values) =>
        Object.entries(values).flatMap(([section, options]) => [
          ...words({ [section]: 0 }),
          ...words(options as object).map(({ path, ...rest }) => ({ ...rest, path: [section, ...path] })),
        ]),
      {
        description: 'Sections and options of `magnum.conf`, beside ours',
        examples: [{ auto_scaling: { image_repository: 'registry.example.org/autoscaling' } }],
        absent: 'ours',
      },
    ).optional(),
  },
  { description: 'Magnum, as far as the driver needs it', examples: [{ certManager: 'barbican' }] },
);

const words = (values: object): { path: string[]; wrong: string; right: string }[] =>
  Object.keys(values)
    .filter((key) => !/^[A-Za-z][\w-]*$/.test(key))
    .map((key) => ({ path: [key], wrong: `${JSON.stringify(key)} is not a key`, right: 'capi_client' }));
