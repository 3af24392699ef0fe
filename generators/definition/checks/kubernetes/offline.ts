import { keyProblemAt, type Finding, type Path } from '../../../source/finding.ts';
import type { Facts } from '../facts.ts';

/** Offline no address of anything outside is left: all of it comes from the artifacts. */
export function offline({ draft }: Facts): readonly Finding[] {
  if (!draft.offline) return [];
  const { installer, containerd, network } = draft;
  const places: readonly (readonly [path: Path, written: unknown])[] = [
    [['installer', 'kubeadm', 'repository'], installer?.kubeadm?.repository],
    [['installer', 'kubeadm', 'repositoryKey'], installer?.kubeadm?.repositoryKey],
    [['containerd', 'archive', 'url'], containerd?.archive?.url],
    [['containerd', 'archive', 'runc', 'url'], containerd?.archive?.runc?.url],
    ...(containerd?.registries ?? []).map(
      (registry, index) => [['containerd', 'registries', index, 'mirrors'], registry?.mirrors] as const,
    ),
    ...pluginUrls(network?.plugin),
  ];
  return places
    .filter(([, written]) => written !== undefined)
    .map(([path]) =>
      keyProblemAt(
        path,
        `\`${String(path.at(-1))}\` leads outside, and \`offline\` says that everything comes from the artifacts`,
        'remove one of the two',
      ),
    );
}

type PluginDraft = NonNullable<Facts['draft']['network']>['plugin'];

function pluginUrls(written: PluginDraft): (readonly [path: Path, written: unknown])[] {
  if (typeof written !== 'object') return [];
  const { calico, cilium } = written;
  const at = ['network', 'plugin'];
  return [
    [[...at, 'calico', 'url'], calico?.url],
    [[...at, 'cilium', 'url'], cilium?.url],
    [[...at, 'cilium', 'helm', 'url'], cilium?.helm?.url],
  ];
}
