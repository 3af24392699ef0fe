import { expect, test } from 'vitest';
import type { Cluster } from '../../generators/cluster/cluster.ts';
import { render } from '../../generators/render.ts';
import { containerd, podNetwork } from '../support/definitions/clusters.ts';
import { exampleClusters } from '../support/definitions/examples.ts';
import { templates } from '../support/definitions/templates.ts';

const example = exampleClusters.find(({ name }) => name === 'offline');
if (!example) throw new Error('no example is installed offline');

const { pauseImage } = example.containerd;
const archive = {
  version: '2.2.3',
  url: '',
  sha256: 'a'.repeat(64),
  runcUrl: '',
  runcSha256: 'b'.repeat(64),
};

const variants: readonly (readonly [title: string, cluster: Cluster])[] = [
  ['with routes between the nodes', example],
  [
    'with an archive of containerd',
    { ...example, containerd: containerd({ source: 'archive', archive, pauseImage }) },
  ],
  ...(['flannel', 'calico', 'cilium'] as const).map(
    (plugin) =>
      [`with ${plugin}`, { ...example, podNetwork: podNetwork({ plugin, version: '1.18.2' }) }] as const,
  ),
];

/** Machines of the cluster, this machine, and the registry that the definition names. */
const inside =
  /^https?:\/\/(?:127\.0\.0\.1|\[::1\]|localhost|192\.0\.2\.\d+|registry\.example\.org)(?:[:/]|$)/;

test.each(variants)('what is installed offline %s holds no address outside', (_title, cluster) => {
  const files = render(cluster, templates).map(({ path, text }) => ({
    path,
    text: text.replaceAll(/^Documentation=.*$/gm, ''),
  }));
  const found = files.flatMap(({ path, text }) =>
    [...text.matchAll(/\bhttps?:\/\/[A-Za-z0-9[][\w.:[\]/-]*/g)].map(([url]) => `${path}: ${url}`),
  );
  expect(found.filter((each) => !inside.test(each.slice(each.indexOf(': ') + 2)))).toEqual([]);
  for (const outside of ['pkgs.k8s.io', 'dl.k8s.io', 'github.com', 'githubusercontent.com', 'get.helm.sh'])
    expect(files.filter(({ text }) => text.includes(outside)).map(({ path }) => path)).toEqual([]);
});
