/** What each task does, in one sentence: its help, the reference page and what a shell shows beside it. */
export const summaries = {
  init: 'Write a working definition; on a terminal, ask for whatever the flags leave out',
  import:
    'Write a definition from what exists: a Tacker VNF, kubespray, an Ansible inventory, Terraform, or addresses',
  check: 'Check a definition and list every problem: file, line, column, what is wrong, what would be right',
  versions:
    'List the supported Kubernetes releases: end of support, matching components, what was tested here',
  update:
    'Update the versions in a definition, with the checksums that their projects publish, and render it',
  schema: 'Print the JSON Schema of a definition, for editors',
  trust:
    'Show SSH host keys as the Ansible server sees them, and write them into the definition if you agree',
  probe:
    'Detect the OpenStack-Ansible release on the deploy host, and write it into the definition if you agree',
  render: 'Write the playbooks and inventories of a definition to playbooks/<cluster>/',
  diff: 'Show what a change to the definition changes in the bundle: in words, then as a diff',
  plan: 'Show the steps from the applied state to the definition, each with its reason',
  review:
    'Check a change as a pipeline does, and print checks, plan and difference as Markdown for a merge request',
  bootstrap: 'Install Ansible and ansible-runner on a bare server, using the reviewed bootstrap.sh',
  doctor:
    'Check that the Ansible server is ready, reaches every machine, and that each is the one the definition names',
  artifacts: 'Collect everything an offline installation needs in one folder: list, prepare, verify, push',
  push: 'Upload the reviewed bundle to the Ansible server without running anything',
  run: 'Push the reviewed bundle, run a playbook on the Ansible server, follow it, and keep the record',
  apply: 'Show the plan, ask, and run its steps in order under one lock, with a journal',
  resume: 'Continue what failed, was cancelled or was interrupted: retry it, roll it back, or mark it failed',
  attach: 'Follow a run to its end, from its first event or any other',
  cancel: 'Stop a run; what it has done so far stays done',
  unlock: "Remove the lock that a lost run left behind; --force removes a live run's as well",
  'scale-out': 'Add nodes to the cluster, and update everything that has to know about them',
  'scale-in': 'Drain nodes, remove them from the cluster, and clean up their machines',
  'heal-node': 'Recreate an unhealthy node on its machine: remove it, clean up, join it again',
  'replace-node': 'Replace a node with the machine that the definition now names',
  'heal-storage':
    'Rebuild the storage server, keep its surviving data and register its volumes again; refused while one is in use',
  'heal-cluster':
    'Remove the cluster and build it again on the same machines; etcd data is lost, volumes stay',
  upgrade: 'Upgrade Kubernetes to the version in the definition, one node at a time',
  reconfigure: 'Reconfigure arguments, audit, names, kubelets and kube-proxy of a running cluster',
  'rotate-certificates': 'Renew control plane certificates that expire soon, and check the cluster',
  patch: 'Install pinned packages on the machines, one at a time: drained, rebooted where needed, verified',
  backup: 'Take an etcd snapshot, kept on the Ansible server; --to copies it here too, with its checksum',
  restore: 'Restore etcd from a snapshot, and check the cluster; changes since the snapshot are lost',
  drill:
    'Inject a fault into the live cluster, measure what clients notice, revert it, compare with last time',
  'cnf-instantiate': 'Deploy CNFs to their namespaces, each as its own tenant, and wait until they are ready',
  'cnf-update':
    'Roll out changed manifests; objects that left them are listed, and deleted only with --prune',
  'cnf-scale': 'Scale an aspect of a CNF out, in, or to a level, and wait until it is ready',
  'cnf-heal': 'Recreate pods of a CNF, or all its workloads; volume claims and their data stay',
  'cnf-terminate':
    'Delete CNFs in reverse order of creation; a namespace goes only if it was created for them and is empty',
  terminate: 'Remove the cluster from its hosts and the Ansible server; records, snapshots and volumes stay',
  schedule:
    'Schedule jobs with systemd on the Ansible server: show them, install the reviewed units, or remove them',
  fleet:
    'Manage many clusters over a Receptor mesh: run, plan, apply, drift, status, runs, attach, cancel, unlock, doctor',
  owner: 'Show to which cluster each host belongs; adopt hosts of another cluster, or release them',
  gc: 'Remove old runs, unreferenced bundles, and leftovers of killed processes',
  runs: 'List the runs of a cluster, newest first, and who holds its lock',
  logs: 'Print the Ansible output of a run; from the local copy when the server is unreachable',
  report: 'Write an HTML page about a run, about the cluster (topology, plan, history), or about the fleet',
  verify:
    'Check the running cluster as a whole, read-only; --conformance runs the Kubernetes conformance tests',
  drift: 'Compare every host with the bundle in check mode, changing nothing; fails if they differ',
  'cnf-status': 'Show the status of CNFs, and why any of them is not ready',
  kubeconfig: "Fetch the administrator's kubeconfig, or a CNF tenant's, for kubectl here; prints its path",
  export: 'Create a user for OpenStack Tacker, and fetch the file that registers the cluster as a VIM',
  metrics:
    'Print metrics of runs, drift, drills and the lock for Prometheus, or write them for node_exporter',
  explain: 'Explain a kind of failure: exit code, causes, remedies; lists all kinds when none is given',
  help: 'Show all tasks, the options of one task, or a topic',
  lab: 'Real hosts on this machine to try everything on: up, status, ssh, fault, rebuild, down, demo',
} as const;

export type TaskName = keyof typeof summaries;

/** For names of other tables, which have to be in this one too. */
export function taskName(word: string): TaskName {
  if (isTaskName(word)) return word;
  throw new Error(`no task is called ${word}`);
}

export const isTaskName = (word: string): word is TaskName => Object.hasOwn(summaries, word);
