import { isEncrypted } from '../kubeadm/api-server.ts';
import { keyView } from './control-plane.ts';
import { renderedFile, type Phase } from '../phase.ts';

/** The key is where the definition says; this brings another one to API servers that run, and to all that is stored. */
export const encryptionKey = phase('encryption-key', {
  off: false,
  what: 'Rotate the key that encrypts Secrets in etcd: each API server reads both keys, then writes with the new one, then every Secret is rewritten and the old key removed',
});

/** What has to be before the definition no longer says that Secrets are encrypted: in the bundle that still does. */
export const encryptionOff = phase('encryption-off', {
  off: true,
  what: 'Store every Secret in etcd readable again, before encryption is taken out of the definition: API servers read what is encrypted until nothing is',
});

function phase(name: string, { off, what }: { readonly off: boolean; readonly what: string }): Phase {
  return {
    name,
    what,
    hosts: 'kube_control_plane',
    tags: [{ name, what: 'everything' }],
    applies: (cluster) => cluster.kubernetes.installer === 'kubeadm' && isEncrypted(cluster),
    run: 'asked',
    parameters: [],
    render: (cluster, fill) => {
      const view = { name, off, key: keyView(cluster) };
      return [renderedFile(`${name}.yml`, fill('encryption-key/encryption-key.yml.hbs', view))];
    },
  };
}
