import type { Cluster } from '../../cluster/cluster.ts';
import { isEncrypted } from '../kubeadm/api-server.ts';
import { keyView } from './control-plane.ts';
import { renderedFile, type Phase } from '../phase.ts';

const applies = (cluster: Cluster): boolean =>
  cluster.kubernetes.installer === 'kubeadm' && isEncrypted(cluster);

/** The key is where the definition says; this brings another one to API servers that run, and to all that is stored. */
export const encryptionKey: Phase = {
  name: 'encryption-key',
  what: 'Rotate the key that encrypts Secrets in etcd: each API server reads both keys, then writes with the new one, then every Secret is rewritten and the old key removed',
  hosts: 'kube_control_plane',
  tags: [{ name: 'encryption-key', what: 'everything' }],
  applies,
  run: 'asked',
  parameters: [],
  render: (cluster, fill) => {
    const view = { name: 'encryption-key', off: false, key: keyView(cluster) };
    return [renderedFile('encryption-key.yml', fill('encryption-key/encryption-key.yml.hbs', view))];
  },
};

/** What has to be before the definition no longer says that Secrets are encrypted: in the bundle that still does. */
export const encryptionOff: Phase = {
  name: 'encryption-off',
  what: 'Store every Secret in etcd readable again, before encryption is taken out of the definition: API servers read what is encrypted until nothing is',
  hosts: 'kube_control_plane',
  tags: [{ name: 'encryption-off', what: 'everything' }],
  applies,
  run: 'asked',
  parameters: [],
  render: (cluster, fill) => {
    const view = { name: 'encryption-off', off: true, key: keyView(cluster) };
    return [renderedFile('encryption-off.yml', fill('encryption-key/encryption-key.yml.hbs', view))];
  },
};
