import type { Cluster } from '../cluster/cluster.ts';
import type { Fill } from '../engine.ts';
import { installView } from './kubespray/install.ts';
import type { RenderedFile } from '../rendered-file.ts';

/** The script that puts Ansible on a bare Ansible server: no playbook, since nothing is there yet that could run one. */
export function bootstrap(cluster: Cluster, fill: Fill): RenderedFile {
  const { ansible, directory } = cluster.ansibleServer;
  const versions = ansible.kind === 'venv' ? ansible : { ansibleCore: '', ansibleRunner: '' };
  // The reader lets no quote into a directory, so it may stand between single ones.
  const view = { ...versions, venv: ansible.kind === 'venv', directory, kubespray: installView(cluster) };
  return { path: 'bootstrap.sh', text: fill('bootstrap/bootstrap.sh.hbs', view), mode: '0755' };
}
