import * as z from 'zod';
import { defaults } from '../../defaults.ts';
import { amounts, apiVersion, aspectName, classOrNone, conditionWord, helmSetting, kindWord, label, manifestPath } from './cnf-judges.ts';
import { networkPolicy } from './cnf-network.ts';
import { tenant } from './cnf-tenant.ts';
import { labels, settings } from '../kubespray/free.ts';
import { duration, localPath } from '../judges.ts';
import { choice, free, list, map, text, whole } from '../key.ts';
import { objectName, quantity } from '../storage/storage-judges.ts';

const { cnf: own } = defaults;

const kind = (description: string) => text(kindWord, { description, examples: ['Deployment'] });
const nameOf = (description: string) => text(objectName, { description, examples: ['web'] });

const amount = (description: string, examples: readonly unknown[]) =>
  free(z.string().meta({ description: 'An amount', examples: ['2'] }), amounts, { description, examples });

const chart = map(
  {
    chart: text(localPath, {
      description: 'The folder or the archive of the chart, relative to the definition',
      examples: ['charts/web-1.2.0.tgz'],
    }),
    release: text(label, {
      description: 'The name of the release',
      examples: ['web'],
      absent: 'the name of the CNF',
    }).optional(),
    values: settings({}, { description: 'Values of the chart', examples: [{ replicaCount: 2 }], absent: "the chart's own" }).optional(),
    set: list(text(helmSetting, { description: 'One value, as `helm --set` takes it', examples: ['image.tag=2'] }), {
      description: 'Single values, over `values`',
      examples: [['image.tag=2']],
      absent: 'none',
    }).optional(),
  },
  { description: 'A chart', examples: [{ chart: 'charts/web-1.2.0.tgz' }] },
);

const claim = map(
  {
    name: nameOf('The name of the claim'),
    storage: text(quantity, { description: 'How much', examples: ['1Gi'] }),
    accessModes: list(choice(['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany'], { description: 'A mode', examples: ['ReadWriteMany'] }), {
      description: 'How it is mounted',
      examples: [['ReadWriteMany']],
    }),
    storageClass: text(classOrNone, { description: 'Its storage class; an empty string: volumes without a class, like those of `storage`', examples: [''], absent: "the cluster's own default" }).optional(),
    volume: nameOf('The one PersistentVolume that it takes').optional(),
  },
  { description: 'A PersistentVolumeClaim', examples: [{ name: 'data', storage: '1Gi', accessModes: ['ReadWriteMany'] }] },
);

const aspect = map(
  {
    aspect: text(aspectName, { description: 'Its name in requests', examples: ['web'] }),
    kind: choice(['Deployment', 'StatefulSet', 'ReplicaSet'], { description: 'The workload that is scaled', examples: ['Deployment'] }),
    name: nameOf('Its name'),
    step: whole(1, 1000, { description: 'Replicas of one step', examples: [1], default: own.step }).optional(),
    minimum: whole(0, 10_000, { description: 'The minimum number of replicas, which is level 0', examples: [1], default: own.minimum }).optional(),
    maximum: whole(1, 10_000, { description: 'The most replicas', examples: [5] }),
  },
  { description: 'Workloads that are scaled together', examples: [{ aspect: 'web', kind: 'Deployment', name: 'web', maximum: 5 }] },
);

const publication = map(
  {
    service: nameOf('A Service of the CNF, of type NodePort or LoadBalancer'),
    servicePort: whole(1, 65_535, { description: 'Its port', examples: [80], absent: '`port`' }).optional(),
    port: whole(1, 65_535, { description: 'The port at the load balancer', examples: [80] }),
  },
  { description: 'A Service', examples: [{ service: 'web', port: 80 }] },
);

const wait = map(
  {
    timeout: text(duration, { description: 'How long', examples: ['300s'], default: own.timeout }).optional(),
    conditions: list(
      map(
        {
          kind: kind('The kind of an object of the CNF'),
          name: nameOf('Its name'),
          condition: text(conditionWord, { description: 'The type of a condition that has to be true', examples: ['Available'] }),
        },
        { description: 'A condition', examples: [{ kind: 'Deployment', name: 'web', condition: 'Available' }] },
      ),
      {
        description: 'Further conditions for the CNF to be ready',
        examples: [[{ kind: 'Certificate', name: 'web', condition: 'Ready' }]],
        absent: 'every workload is ready, every claim bound',
      },
    ).optional(),
  },
  { description: 'When it counts as up', examples: [{ timeout: '300s' }] },
);

const cnf = map(
  {
    name: text(label, { description: 'Its name', examples: ['web'] }),
    namespace: text(label, {
      description: 'Where all its objects live. It wins over what manifests say; once instantiated, the CNF stays where it is',
      examples: ['tenant-a'],
      absent: 'the one namespace that the manifests say, else `default`',
    }).optional(),
    manifests: list(text(manifestPath, { description: 'A file, or files by `*`, relative to the definition', examples: ['manifests/web.yaml'] }), {
      description: 'Manifests, in this order; files of one `*` in the order of their names',
      examples: [['manifests/web.yaml', 'manifests/web/*.yaml']],
      absent: 'those of `helm`',
    }).optional(),
    helm: list(chart, {
      description: 'Charts. The `helm` of the machine that renders makes manifests of them, which are then reviewed',
      examples: [[{ chart: 'charts/web-1.2.0.tgz' }]],
      absent: 'none',
    }).optional(),
    customKinds: list(
      map(
        {
          apiVersion: text(apiVersion, { description: 'Its version', examples: ['cert-manager.io/v1'] }),
          kind: text(kindWord, { description: 'Its name', examples: ['Certificate'] }),
        },
        { description: 'A kind', examples: [{ apiVersion: 'cert-manager.io/v1', kind: 'Certificate' }] },
      ),
      {
        description: 'Kinds in namespaces that something else brought to the cluster, and Kubernetes itself does not know',
        examples: [[{ apiVersion: 'cert-manager.io/v1', kind: 'Certificate' }]],
        absent: 'none: only kinds of the version of Kubernetes are taken',
      },
    ).optional(),
    tenant: tenant.optional(),
    labels: labels({ description: 'Labels of the namespace', examples: [{ team: 'a' }], absent: 'none' }).optional(),
    quota: amount('What the namespace may use at most (ResourceQuota)', [{ pods: '10', 'requests.memory': '2Gi' }]).optional(),
    limits: map(
      {
        default: amount('Limits of a container that says none', [{ memory: '256Mi' }]).optional(),
        defaultRequest: amount('Requests of a container that says none', [{ cpu: '100m' }]).optional(),
        max: amount('The most that a container may ask for', [{ memory: '1Gi' }]).optional(),
        min: amount('The least', [{ memory: '16Mi' }]).optional(),
      },
      { description: 'What containers of the namespace may use (LimitRange)', examples: [{ default: { memory: '256Mi' } }], absent: 'no limits' },
    ).optional(),
    networkPolicy: networkPolicy.optional(),
    persistentVolumeClaims: list(claim, {
      description: 'Claims besides those of the manifests',
      examples: [[{ name: 'data', storage: '1Gi', accessModes: ['ReadWriteMany'] }]],
      absent: 'none',
    }).optional(),
    scaling: list(aspect, {
      description: 'What `cnf-scale` may scale',
      examples: [[{ aspect: 'web', kind: 'Deployment', name: 'web', maximum: 5 }]],
      absent: 'nothing',
    }).optional(),
    publish: list(publication, {
      description: 'Services that `externalLoadBalancer` balances as well',
      examples: [[{ service: 'web', port: 80 }]],
      absent: 'none',
    }).optional(),
    wait: wait.optional(),
    rollback: z
      .boolean()
      .meta({ description: 'An update that does not get ready in time goes back to the revision before', examples: [true], default: false })
      .optional(),
  },
  { description: 'A CNF', examples: [{ name: 'web', namespace: 'tenant-a', manifests: ['manifests/web.yaml'] }] },
);

/** An empty list is good for taking the last one away: its playbooks stay. */
export const cnfs = z.array(cnf).meta({
  description: 'Workloads in namespaces, each with a tenant of its own. An empty list keeps the playbooks that take the last one away',
  examples: [[{ name: 'web', namespace: 'tenant-a', manifests: ['manifests/web.yaml'] }]],
  absent: 'none',
});
