import * as z from 'zod';
import { defaults } from '../../defaults.ts';
import { localPath, release } from '../judges.ts';
import { choice, map, oneOf, text } from '../key.ts';
import { settings } from '../kubespray/free.ts';
import { ownedByCilium } from '../kubespray/owned.ts';
import { httpUrl, imageRepository, imageTag, sha256 } from './kubernetes-judges.ts';

const pinnedVersion = (what: string, version: string, usual: string) => ({
  version: text(release, { description: `The version, without a \`v\``, examples: [version] }),
  url: text(httpUrl, {
    description: `Where ${what} comes from`,
    examples: ['https://mirror.example.org/file'],
    absent: usual,
  }).optional(),
  sha256: text(sha256, {
    description: `The SHA-256 checksum of ${what}: what was read is what is applied`,
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    absent: 'only with `offline`, which has checksums of its own',
  }).optional(),
});

const flannel = map(
  {
    version: text(release, { description: 'The version, without a `v`', examples: ['0.28.10'] }),
    backend: choice(['vxlan', 'host-gw'], {
      description: '`vxlan`: packets of pods travel in UDP, also through routers. `host-gw`: by routes, for nodes in one network',
      examples: ['host-gw'],
      default: defaults.network.flannel.backend,
    }).optional(),
    imageRepository: text(imageRepository, {
      description: 'Where the images `flannel` and `flannel-cni-plugin` are pulled from',
      examples: ['registry.example.org/flannel'],
      default: defaults.network.flannel.imageRepository,
    }).optional(),
    cniPlugin: text(imageTag, {
      description: 'The tag of the image `flannel-cni-plugin`, which has releases of its own',
      examples: ['v1.9.1-flannel1'],
      default: defaults.network.flannel.cniPlugin,
    }).optional(),
  },
  {
    description: 'An overlay between the nodes, or routes; its manifest is rendered into the bundle',
    examples: [{ version: '0.28.10' }],
  },
);

const calico = map(
  {
    ...pinnedVersion('the manifest', '3.32.3', "the tag of calico's repository on GitHub"),
    manifest: text(localPath, {
      description: 'The manifest beside the definition, in place of `url` and `sha256`: it is rendered into the bundle',
      examples: ['manifests/calico.yaml'],
      absent: 'the first control plane fetches it',
    }).optional(),
    encapsulation: choice(['ipip', 'vxlan', 'none'], {
      description:
        'How packets of pods travel between nodes. `ipip`: IP protocol 4, which security groups of OpenStack drop unless a rule names it; IPv6 goes without. `vxlan`: UDP port 4789, without BGP. `none`: as they are, for nodes in one network',
      examples: ['vxlan'],
      default: defaults.network.calico.encapsulation,
    }).optional(),
  },
  {
    description: 'Routes or a tunnel between the nodes, and network policies',
    examples: [{ version: '3.32.3', sha256: '…' }],
  },
);

const cilium = map(
  {
    ...pinnedVersion('the chart', '1.20.2', 'https://helm.cilium.io'),
    chart: text(localPath, {
      description:
        'The chart beside the definition, in place of `url`, `sha256` and `helm`: the helm of the machine that renders makes the manifest, which is rendered into the bundle',
      examples: ['charts/cilium-1.20.2.tgz'],
      absent: 'the first control plane fetches it, and helm',
    }).optional(),
    helm: map(pinnedVersion("helm's archive", '3.19.2', 'https://get.helm.sh'), {
      description: 'The helm that makes a manifest of the chart, on the first control plane',
      examples: [{ version: '3.19.2', sha256: '…' }],
      absent: 'only with `chart`',
    }).optional(),
    values: settings(ownedByCilium, {
      description: 'Further values of the chart, as they are',
      examples: [{ envoy: { enabled: false } }],
      absent: "the chart's own",
    }).optional(),
  },
  {
    description: 'eBPF, and network policies',
    examples: [{ version: '1.20.2', sha256: '…', helm: { version: '3.19.2', sha256: '…' } }],
  },
);

export const plugin = z
  .union([
    choice(['static-routes', 'none'], { description: 'A plugin without a version', examples: ['static-routes'] }),
    oneOf(
      { flannel: flannel.optional(), calico: calico.optional(), cilium: cilium.optional() },
      { description: 'A plugin at a version', examples: [{ flannel: { version: '0.28.10' } }] },
    ),
  ])
  .meta({
    description:
      '`static-routes`: a bridge on each node and a route to every other, for nodes in one network. `flannel`, `calico`, `cilium`: at a version. `none`: somebody else brings one',
    examples: ['static-routes', { flannel: { version: '0.28.10' } }],
    absent: '`none`, with a warning',
  });
