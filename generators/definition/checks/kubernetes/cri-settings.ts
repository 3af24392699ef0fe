import { criPlugin, criSettings } from '../../../catalog/kubernetes/cri-settings.ts';
import { keyProblemAt, type Finding } from '../../../source/finding.ts';
import { nearest } from '../../../source/nearest.ts';
import { ownedByCri } from '../../schema/kubespray/owned.ts';
import { hole, type Facts } from '../facts.ts';

/** containerd reads over a setting that none of its plugins knows, and says so nowhere but in its log. */
export function criSettingsKnown({ draft: { containerd, installer } }: Facts): readonly Finding[] {
  if (installer?.kubeadm === undefined || hole(containerd, 'archive')) return [];
  const version = containerd?.archive ? containerd.archive.version : '';
  if (version === undefined) return [];
  const what = version === '' ? 'no release of containerd' : `containerd ${version}`;
  return Object.entries(containerd?.cri ?? {})
    .filter(([key, value]) => isJudgedHere(key, value) && criPlugin(key, version) === undefined)
    .map(([key]) =>
      keyProblemAt(
        ['containerd', 'cri', key],
        `${version === '' ? `${what} knows` : `no CRI plugin of ${what} knows`} \`${key}\``,
        nearest(key, criSettings(version)) ?? 'remove the key',
      ),
    );
}

/** What the schema has refused already is not told of twice. */
const isJudgedHere = (key: string, value: unknown): boolean =>
  !Object.hasOwn(ownedByCri, key) && /^[a-z]\w*$/.test(key) && value !== undefined;
