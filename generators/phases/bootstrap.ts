import { ansibleTemplate, wheelOf, type PythonProgram } from '../catalog/python/requirements.ts';
import type { AnsibleInstallation, Cluster } from '../cluster/cluster.ts';
import type { Fill, View } from '../engine.ts';
import { installView } from './kubespray/install.ts';
import type { RenderedFile } from '../rendered-file.ts';

/** The script that puts Ansible on a bare Ansible server: no playbook, since nothing is there yet that could run one. */
export function bootstrap(cluster: Cluster, fill: Fill): RenderedFile {
  const { ansible, directory } = cluster.ansibleServer;
  // The reader lets no quote into a directory, so it may stand between single ones.
  const view = { ...programs(ansible, fill), directory, kubespray: installView(cluster, fill) };
  return { path: 'bootstrap.sh', text: fill('bootstrap/bootstrap.sh.hbs', view), mode: '0755' };
}

/** What is installed by pip, if anything: versions, and a file of requirements in which each line has its checksums. */
function programs(ansible: AnsibleInstallation, fill: Fill): View {
  if (ansible.kind === 'packages') return { venv: false };
  const line = (program: PythonProgram, version: string): string =>
    `${program}==${version} --hash=sha256:${wheelOf(program, version) ?? ''}\n`;
  const { ansibleCore, ansibleRunner } = ansible;
  const own = line('ansible-core', ansibleCore) + line('ansible-runner', ansibleRunner);
  return { venv: true, ansibleCore, ansibleRunner, requirements: own + fill(ansibleTemplate, {}) };
}
