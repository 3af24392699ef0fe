import { wants } from '../../cluster/extra-playbooks.ts';
import { artifactsView, isOffline } from '../offline.ts';
import { renderedFile, type Phase } from '../phase.ts';

/** A regular expression of Ginkgo's that is safe as Jinja and YAML text. */
const words = '[A-Za-z0-9 ,.:/()|*+?_-]+';

/** Kubernetes judges a cluster by the tests that its vendors are certified by; they make and remove namespaces of their own. */
export const conformance: Phase = {
  name: 'conformance',
  what: "Run Kubernetes' own conformance tests against the cluster, and report which failed",
  hosts: 'kube_control_plane',
  tags: [{ name: 'conformance', what: 'everything' }],
  applies: (cluster) => cluster.kubernetes.installer === 'kubeadm' && wants(cluster, 'conformance'),
  run: 'asked',
  borrows: ['artifacts', 'containerd'],
  parameters: [
    {
      variable: 'conformance_focus',
      what: 'only tests whose names match this regular expression',
      required: false,
      pattern: words,
      example: 'ConfigMap|Secrets',
    },
    {
      variable: 'conformance_skip',
      what: 'no tests whose names match this regular expression',
      required: false,
      pattern: words,
      example: 'sample API server',
    },
    {
      variable: 'conformance_processes',
      what: 'how many tests run side by side; those that must be alone run afterwards, one after the other',
      required: false,
      pattern: '[1-9][0-9]?',
      example: '4',
    },
  ],
  render: (cluster, fill) => {
    const { version } = cluster.kubernetes;
    const view = {
      version,
      url: `https://dl.k8s.io/release/v${version}/kubernetes-test-linux-amd64.tar.gz`,
      offline: isOffline(cluster),
      artifacts: artifactsView(cluster),
    };
    return [
      renderedFile('conformance.yml', fill('conformance/conformance.yml.hbs', view)),
      renderedFile('files/conformance/run.py', fill('conformance/run.py.hbs', view)),
    ];
  },
};
