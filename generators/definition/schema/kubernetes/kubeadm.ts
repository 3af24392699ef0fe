import * as z from 'zod';
import { defaults } from '../../defaults.ts';
import { programArguments, settings } from '../kubespray/free.ts';
import { choice, list, map, oneOf, text, whole } from '../key.ts';
import { certificateName, httpUrl, imageRepository, kubeadmClusterName, kubeadmVersion, fingerprint, withPatch } from './kubernetes-judges.ts';
import { ownedArguments, ownedByKubelet, ownedByKubeProxy } from '../kubespray/owned.ts';
import { localPath } from '../judges.ts';
import { secret } from '../secret.ts';
import { backup } from './backup.ts';

const { kubernetes: own } = defaults;

const extraArguments = map(
  {
    apiServer: programArguments(ownedArguments.apiServer, {
      description: 'Arguments of the API server, without dashes',
      examples: [{ 'event-ttl': '2h' }],
    }).optional(),
    controllerManager: programArguments(ownedArguments.controllerManager, {
      description: 'Arguments of the controller manager',
      examples: [{ 'terminated-pod-gc-threshold': '"100"' }],
    }).optional(),
    scheduler: programArguments(ownedArguments.scheduler, {
      description: 'Arguments of the scheduler',
      examples: [{ v: '"2"' }],
    }).optional(),
    etcd: programArguments(ownedArguments.etcd, {
      description: 'Arguments of etcd',
      examples: [{ 'quota-backend-bytes': '"8589934592"' }],
    }).optional(),
  },
  {
    description: 'Arguments beside those that kubeadm and Playsmith give; each value is a string',
    examples: [{ apiServer: { 'event-ttl': '2h' } }],
    absent: 'none',
  },
);

const audit = oneOf(
  {
    level: choice(['metadata', 'request'], {
      description:
        '`metadata`: who asked for what. `request`: with what was sent, but never of secrets, config maps and tokens',
      examples: ['metadata'],
    }).optional(),
    rules: list(settings({}, { description: 'A rule', examples: [{ level: 'Metadata' }] }), {
      description: 'The rules of an `audit.k8s.io/v1` Policy, word for word',
      examples: [[{ level: 'Metadata' }]],
    }).optional(),
    keepDays: whole(1, 3650, {
      description: 'Days after which a file of the log is deleted',
      examples: [30],
      default: own.audit.keepDays,
    }).optional(),
    keepFiles: whole(1, 1000, {
      description: 'Files that are kept of it',
      examples: [10],
      default: own.audit.keepFiles,
    }).optional(),
    megabytes: whole(1, 10_000, {
      description: 'The size at which the next file begins',
      examples: [100],
      default: own.audit.megabytes,
    }).optional(),
  },
  {
    description: 'What the API servers log about requests, in `/var/log/kubernetes/audit/audit.log` of each control plane',
    examples: [{ level: 'metadata' }],
    absent: 'nothing is noted',
  },
  ['level', 'rules'],
);

const encryption = map(
  {
    secretKey: secret('The key: 32 random bytes as base64, as `head -c 32 /dev/urandom | base64` makes it', 'ETCD_KEY'),
    provider: choice(['secretbox', 'aescbc'], {
      description: 'How: XSalsa20 with Poly1305, or AES in CBC mode',
      examples: ['secretbox'],
      default: own.encryption.provider,
    }).optional(),
  },
  {
    description:
      'Secrets are encrypted in etcd; `npx task apply` brings it to a cluster that runs, or ends it, and `npx task run encryption-key` another key',
    examples: [{ secretKey: { env: 'ETCD_KEY' } }],
    absent: 'they are readable for whoever reads the disk of a control plane',
  },
);

const externalCloudProvider = map(
  {
    manifests: list(
      text(localPath, {
        description: 'A path beside the definition',
        examples: ['manifests/cloud-controller-manager.yaml'],
      }),
      {
        description:
          "Files with the cloud controller manager as its project publishes it, without Secrets. Its pods have to tolerate `node.cloudprovider.kubernetes.io/uninitialized`",
        examples: [['manifests/cloud-controller-manager.yaml']],
        absent: 'you bring it yourself while `instantiate` waits',
      },
    ).optional(),
    cloudConfig: secret(
      'The text of its `cloud.conf`: it becomes the Secret `cloud-config` in kube-system, where cloud-provider-openstack looks for it',
      'CLOUD_CONFIG',
    ).optional(),
  },
  {
    description:
      'Kubelets start with `--cloud-provider=external`: a controller of your cloud gives nodes their providerID, and makes load balancers. Until it has initialised a node, no usual pod starts there. For a new cluster only',
    examples: [{ manifests: ['manifests/cloud-controller-manager.yaml'] }],
    absent: 'nodes are not registered with a cloud',
  },
);

export const kubeadm = map(
  {
    version: text(kubeadmVersion, {
      description: 'The version of Kubernetes',
      examples: ['1.37.2'],
      instead: withPatch,
    }),
    clusterName: text(kubeadmClusterName, {
      description:
        'What kubeadm calls the cluster: `--cluster-name` of the controller manager, and a name in kubeconfigs. A cluster that kubeadm made by itself is `kubernetes`',
      examples: ['kubernetes'],
      absent: '`metadata.name`',
    }).optional(),
    repository: text(httpUrl, {
      description: 'Where the packages come from: a URL below which `v1.37/deb/` lies',
      examples: ['https://mirror.example.org/kubernetes'],
      default: own.repository,
    }).optional(),
    repositoryKey: text(fingerprint, {
      description: 'The fingerprint of the key that signs the packages there: apt takes them from no other, whatever `Release.key` holds',
      examples: ['9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B'],
      default: own.repositoryKey,
    }).optional(),
    imageRepository: text(imageRepository, {
      description: 'The registry, and the path in it, that the images of Kubernetes come from',
      examples: ['registry.example.org/kubernetes'],
      absent: "kubeadm's own: `registry.k8s.io`, long ago `k8s.gcr.io`",
    }).optional(),
    certificateSans: list(
      text(certificateName, { description: 'A DNS name or an address', examples: ['api.example.org'] }),
      {
        description:
          'More names and addresses by which clients reach the API. Those of the endpoint and of all control planes are in its certificates anyway',
        examples: [['api.example.org']],
        absent: 'no more',
      },
    ).optional(),
    extraArguments: extraArguments.optional(),
    kubelet: settings(ownedByKubelet, {
      description: 'Fields of `KubeletConfiguration`, for every node',
      examples: [{ maxPods: 200 }],
      absent: 'none beside those of kubeadm',
    }).optional(),
    serverTLSBootstrap: z
      .boolean()
      .meta({
        description:
          'Kubelets serve with certificates that the cluster signs, as the field of `KubeletConfiguration` says. Their requests are approved by `instantiate`, `scale-out`, `heal-node`, `replace-node` and `reconfigure`, and those for renewal, after about nine months, by `rotate-certificates`: only such as name the node that asks and its addresses, and no others',
        examples: [true],
        default: false,
      })
      .optional(),
    externalCloudProvider: externalCloudProvider.optional(),
    kubeProxy: settings(ownedByKubeProxy, {
      description: 'Fields of `KubeProxyConfiguration`, for every node',
      examples: [{ mode: 'nftables' }],
      absent: 'none beside those of kubeadm',
    }).optional(),
    audit: audit.optional(),
    encryption: encryption.optional(),
    backup: backup.optional(),
    upgrade: map(
      {
        workersAtOnce: whole(1, 100, {
          description:
            'How many workers are upgraded side by side. Disruption budgets hold all the same; when one fails, the next ones are left alone',
          examples: [2],
          default: own.upgrade.workersAtOnce,
        }).optional(),
      },
      { description: 'How a running cluster is brought to another version', examples: [{ workersAtOnce: 2 }] },
    ).optional(),
    preflight: map(
      {
        freeMegabytes: whole(500, 10_000_000, {
          description: 'How many megabytes must be free below `/var` of a host before it becomes a node',
          examples: [20_000],
          default: own.preflight.freeMegabytes,
        }).optional(),
      },
      {
        description: 'What preflight asks of hosts that are no nodes yet; nodes of the cluster are not asked again',
        examples: [{ freeMegabytes: 20_000 }],
      },
    ).optional(),
  },
  { description: "kubeadm, by Playsmith's own playbooks", examples: [{ version: '1.37.2' }] },
);
