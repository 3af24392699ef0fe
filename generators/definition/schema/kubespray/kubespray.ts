import * as z from 'zod';
import { networkPlugins } from '../../../catalog/kubespray/features.ts';
import { ownedVariables } from '../../../catalog/kubespray/owned.ts';
import { defaults } from '../../defaults.ts';
import { scopedVariables, settings } from './free.ts';
import { calendarEvent } from '../calendar.ts';
import { absolutePath, directory, machineName } from '../judges.ts';
import { choice, free, list, map, oneOf, text, whole, type KeyVerdict } from '../key.ts';
import { certificateName, httpUrl, imageRepository, kubernetesVersion, sha256, withPatch } from '../kubernetes/kubernetes-judges.ts';
import { commit, gitUrl, groupName, kubesprayVersion, memberName, python } from './kubespray-judges.ts';

const { kubespray: own } = defaults;

const archive = map(
  {
    path: text(directory, {
      description: 'A tar archive of the tag **on the Ansible server**, whose one folder is the checkout',
      examples: ['/srv/kubespray-2.28.1.tar.gz'],
    }),
    sha256: text(sha256, {
      description: 'Its SHA-256 checksum, so that it is the one that was looked at',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
  },
  {
    description: 'An archive, for sites without a way to a git server; `npx task bootstrap` unpacks it, and with `--archive` brings it there',
    examples: [{ path: '/srv/kubespray-2.28.1.tar.gz', sha256: '…' }],
  },
);

const renewal = map(
  {
    automatic: z.boolean().meta({
      description: 'Whether a timer on the control planes renews certificates once a month',
      examples: [true],
    }),
    calendar: text(calendarEvent, {
      description: 'When, as a calendar expression of systemd',
      examples: ['Mon *-*-1..7 03:00:00'],
      absent: "kubespray's own: the first Monday of a month, one control plane after the other",
    }).optional(),
  },
  { description: 'Certificates of the control planes', examples: [{ automatic: true }], absent: 'nobody renews them' },
);

const offline = map(
  {
    files: text(httpUrl, {
      description: 'A server that has files under the names of the hosts that they come from, as its contrib/offline makes it',
      examples: ['http://files.example.org'],
    }),
    registry: text(imageRepository, {
      description: 'The registry that has all images, under the paths that they have where they come from',
      examples: ['registry.example.org:5000'],
    }),
  },
  {
    description: 'Everything that kubespray downloads comes from these two',
    examples: [{ files: 'http://files.example.org', registry: 'registry.example.org:5000' }],
    absent: 'files and images come from the internet',
  },
);

const etcdMembers = free(
  z.string().meta({ description: 'The name of its member', examples: ['etcd1'] }),
  (values) => Object.entries(values).flatMap(([machine, member]) => wrongMember(machine, String(member))),
  {
    description: 'Names of etcd members by machine, for a cluster that has them already. They never change',
    examples: [{ master01: 'etcd1' }],
    absent: '`etcd-` and the name of the machine',
  },
);

function wrongMember(machine: string, member: string): readonly KeyVerdict[] {
  const verdict = machineName(machine) ?? memberName(member);
  return verdict ? [{ ...verdict, path: [machine] }] : [];
}

const plugins = Object.keys(networkPlugins) as [string, ...string[]];

/** Where kubespray lies, at which version, and what it is told. */
export const kubespray = oneOf(
  {
    version: text(kubesprayVersion, { description: 'Its tag', examples: ['v2.28.1'] }),
    path: text(directory, {
      description: 'A checkout of the tag **on the Ansible server** that you put there',
      examples: ['/opt/kubespray'],
    }).optional(),
    git: text(gitUrl, {
      description: 'A repository that `npx task bootstrap` clones on the Ansible server, at the tag',
      examples: ['https://github.com/kubernetes-sigs/kubespray.git'],
    }).optional(),
    commit: text(commit, {
      description: 'The commit whose files it is, with changes of your own; with `path` or `git`. Compared with what lies there before every call',
      examples: ['a20891ab67136f8c92ccad3fad9ad11fc71363d0'],
      absent: "the tag's own, as kubespray's repository has it",
    }).optional(),
    tree: text(commit, {
      description: 'The same by the id that git gives to all files, for a checkout without its history: `git rev-parse HEAD^{tree}`; `npx task doctor` says it too',
      examples: ['d59ac6ccd89a3e21fe2b7b0804a46f403c2174db'],
      absent: 'that of the commit',
    }).optional(),
    archive: archive.optional(),
    python: text(python, {
      description: "The Python of the Ansible server that the tag's virtual environment is made with",
      examples: ['python3.11'],
      default: own.python,
    }).optional(),
    wheels: text(absolutePath, {
      description: 'A folder on the Ansible server that has every package of its requirements.txt, for pip',
      examples: ['/srv/wheels'],
      absent: "pip's index",
    }).optional(),
    kubernetes: text(kubernetesVersion, {
      description: 'The version of Kubernetes',
      examples: ['1.32.8'],
      absent: 'the one that the tag installs',
      instead: withPatch,
    }).optional(),
    networkPlugin: choice(plugins, {
      description: 'What gives pods a network',
      examples: ['cilium'],
      default: own.networkPlugin,
    }).optional(),
    containerManager: choice(['containerd', 'crio', 'docker'], {
      description: 'The container runtime',
      examples: ['crio'],
      default: own.containerManager,
    }).optional(),
    certificateSans: list(
      text(certificateName, { description: 'A DNS name or an address', examples: ['api.example.org'] }),
      {
        description: 'More names and addresses by which clients reach the API',
        examples: [['api.example.org']],
        absent: 'no more than those of the endpoint and of all control planes',
      },
    ).optional(),
    renewal: renewal.optional(),
    offline: offline.optional(),
    upgrade: map(
      {
        workersAtOnce: whole(1, 100, {
          description: 'How many workers are upgraded side by side',
          examples: [2],
          default: own.workersAtOnce,
        }).optional(),
      },
      { description: 'How a running cluster is brought to another version', examples: [{ workersAtOnce: 2 }] },
    ).optional(),
    etcdMembers: etcdMembers.optional(),
    variables: settings(ownedVariables, {
      description: 'Variables of kubespray, passed on as they are',
      examples: [{ kube_proxy_mode: 'iptables', enable_nodelocaldns: false }],
      absent: 'none beside those that follow from this definition',
    }).optional(),
    groupVariables: scopedVariables(ownedVariables, groupName, {
      description: 'Variables for one of its groups: k8s_cluster, kube_control_plane, kube_node, etcd',
      examples: [{ kube_node: { kubelet_max_pods: 250 } }],
      absent: 'none',
    }).optional(),
    hostVariables: scopedVariables(ownedVariables, machineName, {
      description: 'Variables for one machine',
      examples: [{ worker01: { kubelet_max_pods: 50 } }],
      absent: 'none',
    }).optional(),
  },
  {
    description: "kubespray's playbooks, between our own",
    examples: [{ version: 'v2.28.1', path: '/opt/kubespray' }],
  },
  ['path', 'git', 'archive'],
);
