import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { labArtifacts } from '../../../lab/index.ts';
import { must } from '../hosts/lab.ts';

/** Kubernetes' own programs as files, from the artifacts that the lab installs clusters from. */
export interface KubernetesPrograms {
  readonly etcd: string;
  readonly apiserver: string;
  readonly kubeadm: string;
  readonly kubectl: string;
}

/** Unpacks them into a folder. */
export async function kubernetesPrograms(folder: string): Promise<KubernetesPrograms> {
  const { folder: artifacts } = must(await labArtifacts(() => undefined));
  const archive = join(artifacts, 'images/control-plane.tar');
  const image = (name: string, tag: RegExp): string => {
    const manifest = JSON.parse(tar('-xOf', archive, './manifest.json')) as readonly {
      readonly RepoTags: readonly string[];
      readonly Layers: readonly string[];
    }[];
    const layer = manifest.find(({ RepoTags }) => RepoTags.some((each) => tag.test(each)))?.Layers[0] ?? '';
    const unpacked = join(folder, `image-${name}`);
    mkdirSync(unpacked, { recursive: true });
    tar('-xf', archive, '-C', unpacked, `./${layer}`);
    tar('-xf', join(unpacked, layer), '-C', unpacked, `./usr/local/bin/${name}`);
    const program = join(folder, name);
    renameSync(join(unpacked, 'usr/local/bin', name), program);
    chmodSync(program, 0o755);
    rmSync(unpacked, { recursive: true });
    return program;
  };
  return {
    etcd: image('etcd', /\/etcd:/),
    apiserver: image('kube-apiserver', /\/kube-apiserver:/),
    kubeadm: join(artifacts, 'binaries/kubeadm'),
    kubectl: join(artifacts, 'binaries/kubectl'),
  };
}

const tar = (...words: readonly string[]): string => execFileSync('tar', words, { encoding: 'utf8' });
