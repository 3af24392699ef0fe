import { describe, expect, test } from 'vitest';
import { releaseOf } from '../../../../generators/phases/node/release.ts';
import { kubeadmCluster } from '../../../support/definitions/clusters.ts';
import { runModule } from '../../../support/module.ts';

const { kubernetes } = kubeadmCluster();

interface There {
  readonly version: string;
  /** By member: the version that it says it has; nothing: it does not answer. */
  readonly etcd?: Readonly<Record<string, string>>;
  readonly learner?: string;
  readonly alarms?: readonly string[];
  /** Of every API server. */
  readonly metrics?: string;
  readonly kubelets?: Readonly<Record<string, string>>;
  readonly configMaps?: Readonly<Record<string, string>>;
  readonly told?: readonly [from: string, apis: string];
}

const answers = (there: object): string => `THERE = json.loads(${JSON.stringify(JSON.stringify(there))})


def ask(path, request=None, url="", seconds=0):
    if path.endswith("member/list"):
        return {"members": [{"name": n, "clientURLs": [n], "isLearner": n == THERE.get("learner")} for n in THERE["etcd"]]}
    if path.endswith("alarm"):
        return {"alarms": [{"alarm": a} for a in THERE["alarms"]]}
    if not THERE["etcd"][url]:
        raise OSError("refused")
    return {"version": THERE["etcd"][url], "health": "true"}


def not_asked(`;

/** The module as it is, with answers of etcd in place of the function that asks it, and a kubectl of ours. */
function ask(there: There): readonly string[] {
  const { version, metrics = '', kubelets = {}, configMaps = {}, told: [etcd_from, apis] = ['', ''] } = there;
  const nodes = Object.entries(kubelets).map(([name, kubeletVersion]) => ({
    metadata: { name },
    status: { nodeInfo: { kubeletVersion } },
  }));
  const maps = Object.entries(configMaps).map(
    ([name, it]) => `*"configmap ${name}"*) cat <<< '${JSON.stringify({ data: { it } })}' ;;`,
  );
  const kubectl = `case "$*" in
*/metrics*) cat <<< '${metrics}' ;;
*nodes*) cat <<< '${JSON.stringify({ items: nodes })}' ;;
${maps.join('\n')}
esac`;
  const release = releaseOf(kubeadmCluster({ kubernetes: { ...kubernetes, version } }));
  const given = { state: 'judged', version, release, control_planes: { cp1: '10.0.0.11' } };
  const { result } = runModule(
    'kubernetes_upgrade',
    { ...given, etcd_from, forgone_apis: apis.split(',') },
    {
      programs: { kubectl },
      replaced: {
        'def ask(': answers({ etcd: { cp1: '3.6.11', cp2: '3.6.12' }, alarms: [], ...there }),
      },
    },
  );
  return [
    ...(result.problems ?? []).map((each) => `problem ${each}`),
    ...(result['notices'] as readonly string[]).map((each) => `notice ${each}`),
  ];
}

test('nothing speaks against a cluster that is well and new enough', () => {
  expect(ask({ version: '1.37.2', kubelets: { cp1: 'v1.36.3', worker1: 'v1.34.1' } })).toEqual([]);
});

describe('etcd', () => {
  test.each<[string, There, readonly string[]]>([
    ['goes to 3.6 from 3.5.26', { version: '1.34.4', etcd: { cp1: '3.5.26', cp2: '3.5.30' } }, []],
    [
      'does not go to 3.6 from one before',
      { version: '1.34.4', etcd: { cp1: '3.5.24', cp2: '3.5.26' } },
      [
        'problem etcd is 3.5.24 of cp1, and its guide to 3.6 begins at 3.5.26: bring Kubernetes to a patch release whose kubeadm brings that, or say --set upgrade_etcd_from=<version>',
      ],
    ],
    ['does so when it is told to', { version: '1.34.4', etcd: { cp1: '3.5.24' }, told: ['3.5.24', ''] }, []],
    [
      'goes to 3.7 from what kubeadm 1.36 brings, and says what its guide asks',
      { version: '1.37.2', etcd: { cp1: '3.6.8' } },
      ['notice etcd is 3.6.8 of cp1, and its guide to 3.7 begins at 3.6.11'],
    ],
    [
      'goes on where an earlier run was cut',
      { version: '1.37.2', etcd: { cp1: '3.7.0', cp2: '3.6.11' } },
      [],
    ],
    [
      'skips no minor version',
      { version: '1.37.2', etcd: { cp1: '3.5.26', cp2: '3.6.11' } },
      [
        'problem etcd of cp1 is 3.5.26, and goes one minor version at a time to the 3.7 of Kubernetes 1.37',
        'notice etcd is 3.5.26 of cp1, and its guide to 3.7 begins at 3.6.11',
      ],
    ],
    [
      'wants every member to answer',
      { version: '1.36.3', etcd: { cp1: '3.6.6', cp2: '' } },
      ['problem the etcd member cp2 does not answer: refused'],
    ],
    [
      'wants no learner and no alarm',
      { version: '1.36.3', etcd: { cp1: '3.6.6', cp2: '3.6.6' }, learner: 'cp2', alarms: ['NOSPACE'] },
      [
        'problem the etcd member cp2 is still a learner',
        'problem etcd has the alarm NOSPACE: npx task run etcd-defragment',
      ],
    ],
  ])('%s', (_, there, lines) => {
    expect(ask(there)).toEqual(lines);
  });
});

describe('APIs that are served no more', () => {
  const metric = (group: string, version: string, resource: string, removed: string): string =>
    `# TYPE x gauge\napiserver_requested_deprecated_apis{group="${group}",removed_release="${removed}",resource="${resource}",subresource="",version="${version}"} 1\n`;
  const beta = metric('storage.k8s.io', 'v1beta1', 'volumeattributesclasses', '1.37');

  test('are refused with who serves no more what, and the ways out', () => {
    const lines = ask({ version: '1.37.2', metrics: beta });
    expect(lines[0]).toBe(
      'problem the API server of cp1 was asked for storage.k8s.io/v1beta1/volumeattributesclasses, which Kubernetes 1.37 does not serve: move who asks to a newer version, restart the API server, or say --set upgrade_forgone_apis=storage.k8s.io/v1beta1/volumeattributesclasses',
    );
  });

  test.each<[string, There, boolean]>([
    ['before the release that takes them out', { version: '1.36.3', metrics: beta }, false],
    ['that may be lost', { version: '1.37.2', metrics: beta, told: ['', 'storage.k8s.io/v1beta1'] }, false],
    [
      'of which nobody says when they go',
      { version: '1.37.2', metrics: metric('', 'v1', 'endpoints', '') },
      false,
    ],
    // The metric of ServiceCIDRs is the API server's own word; that list is ours, and both count.
    [
      'that our list names alone',
      { version: '1.37.2', metrics: metric('networking.k8s.io', 'v1beta1', 'servicecidrs', '1.40') },
      true,
    ],
  ])('%s', (_, there, isRefused) => {
    expect(ask(there).length > 0).toBe(isRefused);
  });
});

test('a kubelet may be three minor versions behind, and never ahead', () => {
  expect(ask({ version: '1.37.2', kubelets: { worker1: 'v1.33.4', worker2: 'v1.38.0' } })).toEqual([
    'problem the kubelet of worker1 is v1.33.4, too old for Kubernetes 1.37: bring it to a newer version first',
    'problem the kubelet of worker2 is v1.38.0, newer than Kubernetes 1.37',
  ]);
});

test('settings in the cluster may name no feature gate that the release took out', () => {
  const extra = '  extraArgs:\n  - name: feature-gates\n    value: SidecarContainers=true,NodeSwap=true\n';
  expect(ask({ version: '1.37.2', configMaps: { 'kubeadm-config': extra } })).toEqual([
    'problem the ConfigMap kube-system/kubeadm-config names the feature gate SidecarContainers, which Kubernetes 1.37 does not know any more: nothing starts with it, take it out there first',
  ]);
  expect(ask({ version: '1.36.3', configMaps: { 'kubeadm-config': extra } })).toEqual([]);
  const plugins = '  - name: enable-admission-plugins\n    value: NodeRestriction,JobValidation\n';
  expect(ask({ version: '1.37.2', configMaps: { 'kubeadm-config': plugins } })).toEqual([
    expect.stringContaining('kubeadm-config names the admission plugin JobValidation, which Kubernetes 1.37'),
  ]);
});
