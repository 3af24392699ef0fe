import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { engine } from '../../../generators/engine.ts';
import { workloadFile } from '../../../generators/phases/openstack-ansible/workload-file.ts';
import { readYaml } from '../../../generators/yaml.ts';
import { openstackStandIn } from '../../support/server/openstack-stand-in.ts';
import { templates } from '../../support/definitions/templates.ts';
import { folderWith } from './python.ts';
import { definition, osaOf } from './support.ts';

/** A definition with a workload cluster; `changes` replaces texts in it. */
export const withWorkload = (changes: Readonly<Record<string, string>> = {}): string =>
  Object.entries(changes).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the definition has no ${from}`);
    return text.replace(from, to);
  }, `${definition()}${workload}`);

const workload = `workloadClusters:
  client: deploy-host
  images:
    - { name: kube-30, kubernetes: v1.30.2, from: { file: /srv/kube-30.qcow2 } }
    - { name: kube-31, kubernetes: v1.31.1, from: { file: /srv/kube-31.qcow2 } }
  templates:
    - { name: small, image: kube-30, externalNetwork: public, flavor: m1.medium, labels: { boot_volume_size: 20 } }
  clusters:
    - { name: demo, template: small, workers: 2, keypair: ops, labels: { availability_zone: az1 } }
`;

/** As clusterctl 1.13.2 told it of a cluster of Magnum's driver, by way of Ansible's command line. */
const described = `infra1-k8s-container-1 | CHANGED | rc=0 >>
NAME                                                   REPLICAS AVAILABLE READY UP TO DATE STATUS REASON        SINCE MESSAGE
Cluster/kube-demo                                      0/3      0         0     0          False  NotAvailable  16s   * InfrastructureReady: OpenStackCluster status.initialization.provisioned is false
│                                                                                                                      * WorkersAvailable:
│                                                                                                                         * MachineDeployment kube-demo-default-worker: 0 available replicas
├─ClusterInfrastructure - OpenStackCluster/kube-demo-x                                     True   Ready         1s
└─ControlPlane - KubeadmControlPlane/kube-demo-y       0/1      0         0     0          False  NotAvailable  15s   Control plane not yet initialized
`;

/** What is asked of other machines than this one. */
const bin = {
  'bin/ansible': `#!/bin/sh\ncat <<'END'\n${described}END\n`,
  'bin/ssh': '#!/bin/bash\n[ "$3" = root@172.29.236.11 ] || exit 1; shift 3; exec bash -c "$*"\n',
  'bin/lxc-attach': '#!/bin/bash\n[ "$3" = infra1-utility-1 ] || exit 1; shift 5; exec bash -c "$2"\n',
};

const inventory = {
  utility_container: { hosts: ['infra1-utility-1'] },
  _meta: {
    hostvars: {
      'infra1-utility-1': { physical_host: 'infra1' },
      infra1: { management_address: '172.29.236.11' },
    },
  },
};

const once = (make: (of: string) => string): ((of: string) => string) => {
  const made = new Map<string, string>();
  return (of) => {
    const text = made.get(of) ?? make(of);
    made.set(of, text);
    return text;
  };
};
const workloadOf = once((text) => workloadFile('cloud-a', osaOf(text)).text);
const programOf = once((name) => engine(templates, 'cloud-a')(`osa/${name}.py.hbs`, {}));

type Answer = Readonly<Record<string, unknown>>;

/** A cloud of its own; the programs of the deploy host, run against the stand-in. */
export function cloud(text = withWorkload()) {
  const root = folderWith({
    'srv/kube-30.qcow2': 'QFI 30',
    'srv/kube-31.qcow2': 'QFI 31',
    'openstack_inventory.json': JSON.stringify(inventory),
    ...bin,
  });
  writeFileSync(join(root, 'bin/openstack'), openstackStandIn(root));
  for (const each of [...Object.keys(bin), 'bin/openstack']) chmodSync(join(root, each), 0o755);
  const requests = (): string[] =>
    existsSync(join(root, 'requests')) ? readFileSync(join(root, 'requests'), 'utf8').trim().split('\n') : [];
  const program = (name: string, definitionText: string, asked: object): Answer => {
    const workloadText = workloadOf(definitionText).replaceAll('"/srv/', `"${root}/srv/`);
    const argument = {
      directory: root,
      checkout: root,
      only: [],
      workload: readYaml(workloadText),
      ...asked,
    };
    const script = programOf(name)
      .replace('"PATH": "', `"PATH": "${root}/bin:`)
      .replace('TRIES, SILENCE = 20, 2, 30, 120', 'TRIES, SILENCE = 0.5, 0.05, 1, 5');
    const done = spawnSync(
      'python3',
      ['-IS', '-', Buffer.from(JSON.stringify(argument)).toString('base64')],
      {
        input: script,
        encoding: 'utf8',
      },
    );
    if (done.status !== 0) throw new Error(done.stderr);
    return JSON.parse(done.stdout) as Answer;
  };
  const wait = (more: object = {}): Answer =>
    program('workload-wait', text, {
      ...{
        name: 'demo',
        wanted: {},
        gone: false,
        always: false,
        began: String(Date.now() / 1000),
        before: '',
        minutes: '1',
      },
      ...more,
    });
  return {
    root,
    requests,
    wait,
    end: (more: object): Answer => {
      let seen = wait(more);
      while (seen['state'] === 'running') seen = wait(more);
      return seen;
    },
    trouble: (about: object) => {
      writeFileSync(join(root, 'trouble'), JSON.stringify(about));
    },
    look: (definitionText = text, more: object = {}) =>
      program('workload', definitionText, { action: 'look', ...more }),
    image: (name: string, definitionText = text) =>
      program('workload-image', definitionText, { action: 'bring', name }),
    act: (asked: object, definitionText = text) => program('workload', definitionText, asked),
    program,
  };
}

export const bring = (kind: string, name: string) => ({ action: 'bring', kind, name });

/** A cloud in which all is made, as the playbook does it. */
export function made(there = cloud()) {
  there.image('kube-30');
  there.image('kube-31');
  there.act(bring('template', 'small'));
  there.act(bring('controlPlanes', 'demo'));
  const { state } = there.end({ wanted: { groups: { 'default-master': 1, 'default-worker': 2 } } });
  if (state !== 'ended') throw new Error(`making it ended as ${String(state)}`);
  return there;
}
