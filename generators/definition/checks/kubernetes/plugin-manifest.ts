import { keyProblemAt, problemAt, type Finding } from '../../../source/finding.ts';
import { fileText } from '../../files.ts';
import { readObjects, type ManifestObject } from '../../manifests/objects.ts';
import { pluginManifestKey } from '../../network/plugin-manifest.ts';
import { hole, type Facts } from '../facts.ts';

type WrittenPlugin = NonNullable<NonNullable<Facts['draft']['network']>['plugin']>;

/** A plugin whose manifest becomes part of the bundle. */
interface BroughtPlugin {
  readonly name: 'calico' | 'cilium';
  /** The key of its file. */
  readonly by: 'manifest' | 'chart';
  readonly version: string | undefined;
  /** Its DaemonSet and the image in it. */
  readonly daemonSet: string;
  readonly image: RegExp;
  /** Keys that say where hosts fetch it, and are for nothing beside the file. */
  readonly beside: readonly string[];
}

/** What is in the bundle is the plugin of that version, whole, and nothing that git may not hold. */
export function pluginManifest(facts: Facts): readonly Finding[] {
  const written = facts.draft.network?.plugin;
  if (typeof written !== 'object') return [];
  const { cilium } = written;
  if (cilium && !cilium.chart && !cilium.helm && !hole(cilium, 'helm') && !hole(cilium, 'chart'))
    return [withoutHelm];
  const brought = broughtPlugin(written);
  return brought ? [...fetchedToo(written, brought), ...contents(facts, brought)] : [];
}

const at = (...keys: string[]): string[] => ['network', 'plugin', ...keys];

const withoutHelm = problemAt(
  at('cilium'),
  '`helm` is missing in `cilium`: nothing makes a manifest of the chart',
  '`chart`, of which `npx task render` makes it; or `helm` with version and checksum, for the first control plane',
);

function broughtPlugin({ calico, cilium }: Exclude<WrittenPlugin, string>): BroughtPlugin | undefined {
  if (calico?.manifest !== undefined)
    return {
      ...{ name: 'calico', by: 'manifest', version: calico.version, daemonSet: 'calico-node' },
      ...{ image: /\/(?:calico\/)?node:v(?<version>\d[\w.-]*)/, beside: ['url', 'sha256'] },
    };
  if (cilium?.chart === undefined) return undefined;
  return {
    ...{ name: 'cilium', by: 'chart', version: cilium.version, daemonSet: 'cilium' },
    ...{ image: /\/cilium:v(?<version>\d[\w.-]*)/, beside: ['url', 'sha256', 'helm'] },
  };
}

const fetchedToo = (
  written: Exclude<WrittenPlugin, string>,
  { name, by, beside }: BroughtPlugin,
): readonly Finding[] =>
  beside
    .filter((key) => (written[name] as Readonly<Record<string, unknown>> | undefined)?.[key] !== undefined)
    .map((key) =>
      keyProblemAt(
        at(name, key),
        `\`${key}\` is for nothing beside \`${by}\`: no host fetches anything`,
        'remove the key',
      ),
    );

function contents(facts: Facts, plugin: BroughtPlugin): readonly Finding[] {
  const { name, by } = plugin;
  const text = fileText(facts.files, pluginManifestKey(facts.draft) ?? '');
  if (!text.ok) return [problemAt(at(name, by), text.failure, remedies[by])];
  const { objects, problems } = readObjects(text.value, `the ${by} of ${name}`);
  const [problem] = problems;
  if (problem) return [problemAt(at(name, by), `${problem.place}: ${problem.wrong}`, problem.right)];
  return [...secrets(objects, plugin), ...daemonSet(objects, plugin)];
}

const remedies = {
  manifest: 'the manifest of the release, as its project publishes it',
  chart:
    'helm where `npx task render` runs, and the archive of the chart; or `url`, `sha256` and `helm` in place of `chart`',
};

const secrets = (objects: readonly ManifestObject[], { name, by }: BroughtPlugin): readonly Finding[] =>
  objects.some(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Secret')
    ? [
        problemAt(
          at(name, by),
          'a Secret is in it, and the bundle is for everybody who reads the repository',
          name === 'cilium'
            ? '`values` without what needs one; or `url`, `sha256` and `helm`'
            : 'a manifest without one',
        ),
      ]
    : [];

function daemonSet(objects: readonly ManifestObject[], plugin: BroughtPlugin): readonly Finding[] {
  const { name, by, version } = plugin;
  const found = objects.find(
    ({ kind, name: of, namespace }) =>
      kind === 'DaemonSet' && of === plugin.daemonSet && namespace === 'kube-system',
  );
  if (!found)
    return [
      problemAt(
        at(name, by),
        `it holds no DaemonSet ${plugin.daemonSet} in kube-system`,
        `${by === 'chart' ? 'the chart' : 'the manifest'} that ${name} publishes for a cluster without an operator of its own`,
      ),
    ];
  const other = plugin.image.exec(JSON.stringify(found.object))?.groups?.['version'];
  return other === undefined || version === undefined || other === version
    ? []
    : [
        problemAt(
          at(name, 'version'),
          `\`version\` is ${version}, and the ${by} is of ${other}`,
          `version: ${other}, or the ${by} of ${version}`,
        ),
      ];
}
