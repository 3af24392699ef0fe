import type { OpenStackAnsibleMagnum } from '../../cluster/cluster.ts';
import { controlPlaneGroup, testFile } from './tree/tree.ts';

/** One command on the deploy host, as the user root, in the folder of OpenStack-Ansible. */
export interface OsaStep {
  /** Names its state and its log; unique in its playbook. */
  readonly name: string;
  /** Continues "Start to …" and "Wait for it to …". */
  readonly what: string;
  readonly argv: readonly string[];
  /** True: it is done anew in every run, once an earlier one has told how it ended. */
  readonly always?: boolean;
}

/** The commands of each playbook that only runs commands, in their order. */
export interface OsaSteps {
  readonly deployNew: readonly OsaStep[];
  readonly deployExisting: readonly OsaStep[];
  readonly proxy: readonly OsaStep[];
  readonly functionalTest: readonly OsaStep[];
}

const playbook = (name: string, what: string, ...argv: readonly string[]): OsaStep => ({
  name,
  what,
  argv: ['openstack-ansible', ...argv],
});

/**
 * The order is that of what needs what: credentials of the control plane (and, from v0.25 on, Rust) have to be there before
 * Magnum is installed, since its driver opens them when it starts.
 */
export function osaSteps(osa: OpenStackAnsibleMagnum): OsaSteps {
  const ops = osa.layout === 'ops';
  const proxy = osa.proxy.hosts === '' ? [] : [proxyStep(ops)];
  return {
    deployNew: ops
      ? [...preparationSteps(osa), ...newOps(osa), ...proxy]
      : [...preparationSteps(osa), ...newIntegrated, ...proxy],
    deployExisting: ops
      ? [...preparationSteps(osa), ...containers(osa), ...controlPlaneOps, magnum, ...proxy]
      : [...preparationSteps(osa), ...containers(osa), controlPlaneIntegrated, magnum, ...proxy],
    proxy,
    functionalTest: [functionalTest(osa)],
  };
}

/** What Ansible on the deploy host needs; making its environment anew would take minutes for two packages. */
const preparationSteps = ({
  layout,
  collections,
  configurationDirectory,
}: OpenStackAnsibleMagnum): OsaStep[] => [
  ...(collections.length > 0
    ? [playbook('collections', 'install the collections', 'scripts/get-ansible-collection-requirements.yml')]
    : []),
  ...(layout === 'ops'
    ? [
        {
          name: 'modules',
          what: 'install what modules of the collections import',
          argv: [
            ...['/opt/ansible-runtime/bin/pip', 'install', '--requirement'],
            `${configurationDirectory}/user-ansible-venv-requirements.txt`,
          ],
        },
      ]
    : []),
];

const setup = (name: 'hosts' | 'infrastructure' | 'openstack'): OsaStep =>
  playbook(`setup-${name}`, `run the set-up of ${name}`, `openstack.osa.setup_${name}`);

const controlPlaneOps: readonly OsaStep[] = [
  playbook(
    'control-plane',
    'build the control plane',
    'osa_ops.mcapi_vexxhost.mcapi_control_plane_k8s',
    // Where OpenStack-Ansible has Unbound it would include a file that the collection does not have.
    '--extra-vars',
    'resolvconf_enabled=false',
  ),
  playbook(
    'integration',
    'give Magnum the credentials of the control plane',
    'osa_ops.mcapi_vexxhost.mcapi_magnum_integration',
  ),
];

/** With hooks the set-up playbooks run those of the driver themselves. */
const newOps = ({ hooks }: OpenStackAnsibleMagnum): readonly OsaStep[] => [
  setup('hosts'),
  setup('infrastructure'),
  ...(hooks ? [] : controlPlaneOps),
  setup('openstack'),
];

/** The set-up of the infrastructure builds the control plane. */
const newIntegrated: readonly OsaStep[] = [setup('hosts'), setup('infrastructure'), setup('openstack')];

/** The hosts are named beside their containers: facts of them are gathered in a play of their own. */
const containers = (osa: OpenStackAnsibleMagnum): readonly OsaStep[] =>
  osa.controlPlane.placement === 'metal'
    ? []
    : [
        playbook(
          'containers',
          'create the containers of the control plane',
          'openstack.osa.containers_lxc_create',
          '--limit',
          `localhost,lxc_hosts,k8s_all,${controlPlaneGroup(osa)}`,
        ),
      ];

const controlPlaneIntegrated = playbook('control-plane', 'build the control plane', 'openstack.osa.k8s');

const magnum = playbook('magnum', 'install Magnum with the driver', 'openstack.osa.magnum');

const proxyStep = (ops: boolean): OsaStep =>
  playbook(
    'proxy',
    'install the proxy',
    ops ? 'osa_ops.mcapi_vexxhost.mcapi_proxy' : 'openstack.osa.magnum_capi_proxy',
  );

/** A test that is not run says nothing. */
const functionalTest = ({ layout, configurationDirectory }: OpenStackAnsibleMagnum): OsaStep => ({
  ...playbook(
    'functional-test',
    'make and delete a workload cluster',
    layout === 'ops'
      ? 'osa_ops.mcapi_vexxhost.functional_test'
      : '/etc/ansible/roles/os_magnum/tests/functional_test.yml',
    '--extra-vars',
    `@${configurationDirectory}/${testFile}`,
  ),
  always: true,
});
