import { fieldAt, itemsOf, textAt, textOf } from '../../source/foreign/look.ts';
import { doubtAt, type ForeignNode } from '../../source/foreign/node.ts';
import { allLeaves, placeOf } from '../leaves.ts';
import { leftOverPart } from '../left-over.ts';
import { joinParts, part, type ImportPart } from '../part.ts';
import { nameOf, type Objects } from './objects.ts';

/** Which network the pods have, by the DaemonSet that brings it to nodes. */
export function pluginPart({ daemonSets, flannel, kubeadm }: Objects): ImportPart {
  const found = plugins.flatMap(({ name, set }) =>
    daemonSets.filter((each) => set.test(nameOf(each))).map((each) => ({ name, set: each })),
  )[0];
  if (!found) return part({ pieces: [none], assumptions: [nothing] });
  const { repository, version } = imageOf(found.set);
  const place = found.set.place;
  if (found.name === 'flannel') {
    const backend = textAt(flannel, 'Backend', 'Type');
    const value = {
      version,
      ...(backend === undefined || backend === 'vxlan' ? {} : { backend }),
      ...(repository === 'ghcr.io/flannel-io' || repository === 'docker.io/flannel'
        ? {}
        : { imageRepository: repository }),
    };
    return joinParts([
      part({ pieces: [{ path: ['network', 'plugin'], value: { flannel: value }, place }] }),
      otherSettings(flannel, kubeadm),
    ]);
  }
  return part({
    pieces: [none],
    assumptions: [
      `${found.name} ${version} stays as it is: \`plugin: { ${found.name}: … }\` with its version and checksum has it managed`,
    ],
  });
}

/** What flannel is told besides: its manifest is that of the bundle from the first run on. */
function otherSettings(flannel: ForeignNode | undefined, kubeadm: ForeignNode): ImportPart {
  const networks = (textAt(kubeadm, 'networking', 'podSubnet') ?? '').split(',').map((each) => each.trim());
  const left = (flannel ? allLeaves(flannel) : []).filter(({ path, node }) => {
    const known = networkKeys.has(path) ? networks : (usual.get(path) ?? []);
    return path !== 'Backend.Type' && !(node.kind === 'scalar' && known.includes(node.text));
  });
  return joinParts([
    leftOverPart(left.map((leaf) => ({ ...leaf, path: `flannel.${leaf.path}` }))),
    part({
      problems: left.map((leaf) =>
        doubtAt(
          placeOf(leaf),
          `flannel has \`${leaf.path}\`, which is not taken over: the first run ends it on one node after the other`,
          'a network of pods without it before the first run, or `plugin: none`, which leaves flannel as it is',
        ),
      ),
    }),
  ]);
}

const networkKeys = new Set(['Network', 'IPv6Network']);

/** What the manifest says too, or flannel takes where nobody says it. */
const usual: ReadonlyMap<string, readonly string[]> = new Map([
  ['EnableIPv4', ['true', 'false']],
  ['EnableIPv6', ['true', 'false']],
  ['EnableNFTables', ['false']],
  ['Backend.VNI', ['1']],
  ['Backend.Port', ['8472']],
  ['Backend.DirectRouting', ['false']],
  ['Backend.GBP', ['false']],
]);

const none = { path: ['network', 'plugin'], value: 'none' };

const nothing =
  'no network of pods is among the DaemonSets, so somebody else brings it: write `static-routes` where Playsmith set routes on the hosts';

const plugins = [
  { name: 'flannel', set: /^kube-flannel/ },
  { name: 'calico', set: /^calico-node$/ },
  { name: 'cilium', set: /^cilium$/ },
] as const;

/** `ghcr.io/flannel-io/flannel:v0.28.4` */
function imageOf(set: ForeignNode): { readonly repository: string; readonly version: string } {
  const [container] = itemsOf(fieldAt(set, 'spec', 'template', 'spec', 'containers'));
  const image = textOf(fieldAt(container, 'image')) ?? '';
  const [, repository = '', tag = ''] = /^(.*)\/[^/:@]+:v?([^@]+)/.exec(image) ?? [];
  return { repository, version: tag };
}
