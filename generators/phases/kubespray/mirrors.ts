import type { Kubespray } from '../../cluster/cluster.ts';
import { expression, type Data } from '../../data-file.ts';

/** What stands for every public host, as its inventory/sample/group_vars/all/offline.yml has it. */
export function mirrorVariables({ offline }: Kubespray): Readonly<Record<string, Data>> {
  if (offline.files === '') return {};
  const registry = expression('{{ registry_host }}');
  return {
    registry_host: offline.registry,
    files_repo: offline.files,
    ...Object.fromEntries(imageRepositories.map((name) => [name, registry])),
    ...Object.fromEntries(
      Object.entries(fileHosts).map(([name, host]) => [name, expression(`{{ files_repo }}/${host}`)]),
    ),
  };
}

/** Variables since v2.25; the files lie below the name of the host that they come from. */
export const fileHosts = {
  github_url: 'github.com',
  dl_k8s_io_url: 'dl.k8s.io',
  storage_googleapis_url: 'storage.googleapis.com',
  get_helm_url: 'get.helm.sh',
} as const;

export const imageRepositories = ['kube', 'gcr', 'github', 'docker', 'quay'].map(
  (name) => `${name}_image_repo`,
);
