import { fieldAt, itemsOf, textAt, textOf } from '../../source/foreign/look.ts';
import type { ForeignNode } from '../../source/foreign/node.ts';
import { part, type ImportPart } from '../part.ts';
import { nameOf, type Objects } from './objects.ts';

/** Which network the pods have, by the DaemonSet that brings it to nodes. */
export function pluginPart({ daemonSets, flannel }: Objects): ImportPart {
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
    return part({ pieces: [{ path: ['network', 'plugin'], value: { flannel: value }, place }] });
  }
  return part({
    pieces: [none],
    assumptions: [
      `${found.name} ${version} stays as it is: \`plugin: { ${found.name}: … }\` with its version and checksum has it managed`,
    ],
  });
}

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
