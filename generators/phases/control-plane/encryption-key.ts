import { configurationFolder, isEncrypted } from '../kubeadm/api-server.ts';
import { keyView } from './control-plane.ts';
import { renderedFile, type Phase } from '../phase.ts';

/** The key is where the definition says; this brings another one to API servers that run, and to all that is stored. */
export const encryptionKey: Phase = {
  name: 'encryption-key',
  what: 'Replace the key that encrypts Secrets in etcd: each API server reads both keys, then writes with the new one, then every Secret is stored anew and the old key is forgotten',
  hosts: 'kube_control_plane',
  tags: [{ name: 'encryption-key', what: 'everything' }],
  applies: (cluster) => cluster.kubernetes.installer === 'kubeadm' && isEncrypted(cluster),
  run: 'asked',
  parameters: [],
  render: (cluster, fill) => {
    const view = { cluster: cluster.name, folder: configurationFolder, key: keyView(cluster) };
    const file = (name: string): string => fill(`encryption-key/${name}.hbs`, view);
    return [
      renderedFile('encryption-key.yml', file('encryption-key.yml')),
      ...['keys.sh', 'rewrite.py'].map((name) => renderedFile(`files/encryption-key/${name}`, file(name))),
    ];
  },
};
