import type { TaskName } from './summaries.ts';

/** What tasks are for, in the order in which one comes to need them. */
export const groupNames = ['define', 'review', 'run', 'operate', 'look', 'lab'] as const;

export type HelpGroup = (typeof groupNames)[number];

/** One line of help: tasks that belong together, and a few words for each in the same order. */
interface HelpLine {
  readonly tasks: readonly TaskName[];
  readonly brief: string;
}

const line = (brief: string, ...tasks: readonly TaskName[]): HelpLine => ({ tasks, brief });

/** Every task once: `npx task --help` shows this and nothing else, so it fits on one screen. */
export const groups: Readonly<Record<HelpGroup, readonly HelpLine[]>> = {
  define: [
    line('Write a definition: new, or from what exists', 'init', 'import'),
    line('List every problem in it, with place and remedy', 'check'),
    line('Kubernetes releases; newer versions; a schema', 'versions', 'update', 'schema'),
    line('Pin SSH host keys; detect OpenStack-Ansible', 'trust', 'probe'),
  ],
  review: [
    line('Write the playbooks; show what a change changes', 'render', 'diff'),
    line('Show the steps that lead to the definition', 'plan'),
    line('All of this as a page for a merge request', 'review'),
  ],
  run: [
    line('Set up the Ansible server; check it is ready', 'bootstrap', 'doctor'),
    line('Collect what an offline installation needs', 'artifacts'),
    line('Upload the bundle; run it, or one playbook', 'push', 'run'),
    line('Run the plan; retry or roll back what failed', 'apply', 'resume'),
    line('Follow a run; stop it; remove a stale lock', 'attach', 'cancel', 'unlock'),
  ],
  operate: [
    line('Add nodes; remove nodes', 'scale-out', 'scale-in'),
    line('Recreate an unhealthy node; swap its machine', 'heal-node', 'replace-node'),
    line('Rebuild the storage server; the whole cluster', 'heal-storage', 'heal-cluster'),
    line('Upgrade Kubernetes; change its settings', 'upgrade', 'reconfigure'),
    line('Renew its certificates; patch its machines', 'rotate-certificates', 'patch'),
    line('Snapshot etcd; restore it; rehearse a failure', 'backup', 'restore', 'drill'),
    line('Deploy CNFs; roll out changed manifests', 'cnf-instantiate', 'cnf-update'),
    line('Scale a CNF; recreate its pods', 'cnf-scale', 'cnf-heal'),
    line('Delete CNFs; remove the cluster from its hosts', 'cnf-terminate', 'terminate'),
    line('Let the server run drift, backups … at set times', 'schedule'),
    line('Many clusters at once; clean up the server', 'fleet', 'gc'),
    line('Whose the hosts are; take over, or hand back', 'owner'),
  ],
  look: [
    line('List runs; print one; see one as an HTML page', 'runs', 'logs', 'report'),
    line('Check the cluster; its hosts; its CNFs', 'verify', 'drift', 'cnf-status'),
    line('Runs, drift and drills for Prometheus', 'metrics'),
    line('Credentials for kubectl; for OpenStack Tacker', 'kubeconfig', 'export'),
    line('Explain a failure; a task or a topic', 'explain', 'help'),
  ],
  lab: [line('Real hosts on this machine, to try it all on', 'lab')],
};

/** The tasks of a group, in the order of help. */
export const tasksOf = (group: HelpGroup): readonly TaskName[] => groups[group].flatMap(({ tasks }) => tasks);

export function groupOf(name: TaskName): HelpGroup {
  const found = groupNames.find((group) => tasksOf(group).includes(name));
  if (found === undefined) throw new Error(`${name} is in no group`);
  return found;
}
