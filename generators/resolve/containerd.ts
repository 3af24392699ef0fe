import type { Containerd, Registry } from '../cluster/cluster.ts';
import type { Definition } from '../definition/schema/schema.ts';
import { registryVariable } from './secret-names.ts';
import { pauseImageOf } from './pause-image.ts';

type ContainerdDefinition = NonNullable<Definition['containerd']>;

/** How containerd gets onto a node and what it is told. */
export const resolveContainerd = ({ containerd: written, installer, offline }: Definition): Containerd => ({
  source: written?.archive ? 'archive' : 'distribution',
  archive: archive(written?.archive, offline !== undefined),
  pauseImage: written?.pauseImage ?? pauseImage(installer?.kubeadm),
  registries: (written?.registries ?? []).map(registry),
  cri: written?.cri ?? {},
});

const pauseImage = (kubeadm: { version: string; imageRepository?: string | undefined } | undefined): string =>
  kubeadm ? pauseImageOf(kubeadm.version, kubeadm.imageRepository ?? '') : '';

function archive(written: ContainerdDefinition['archive'], isOffline: boolean): Containerd['archive'] {
  if (!written) return { version: '', url: '', sha256: '', runcUrl: '', runcSha256: '' };
  const { version, sha256, runc } = written;
  const url =
    written.url ??
    `${releases}/containerd/containerd/releases/download/v${version}/containerd-${version}-linux-amd64.tar.gz`;
  const runcUrl = runc.url ?? `${releases}/opencontainers/runc/releases/download/v${runc.version}/runc.amd64`;
  return {
    version,
    url: isOffline ? '' : url,
    sha256,
    runcUrl: isOffline ? '' : runcUrl,
    runcSha256: runc.sha256,
  };
}

const releases = 'https://github.com';

const registry = ({
  host,
  mirrors,
  ca,
  user,
  password,
}: NonNullable<ContainerdDefinition['registries']>[number]): Registry => ({
  host,
  mirrors: mirrors ?? [],
  ca: ca === undefined ? '' : `${ca.trimEnd()}\n`,
  user: user ?? '',
  passwordVariable: password ? registryVariable(host) : '',
});
