import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { describe, type Lab } from '../../../../lab/index.ts';
import { brought, type Mirror } from './kubespray-mirror.ts';
import { definitionOf, on } from '../lab.ts';

/** kubespray itself, as a site without a way to the internet has it: an archive of the tag, and pip's packages for its Ansible. */
export interface Kubespray {
  readonly version: string;
  /** On this machine: `npx task bootstrap --archive` brings it. */
  readonly archive: string;
  readonly sha256: string;
  readonly python: string;
  /** On the Ansible server: the packages. */
  readonly wheels: string;
}

/** Packs a tag of the repository, or a commit under the name of a tag, and brings the packages of its requirements.txt to the Ansible server. */
export async function kubesprayFor(
  lab: Lab,
  repository: string,
  version: string,
  commit = version,
): Promise<Kubespray> {
  const wheels = `/srv/wheels-${version}`;
  const folder = mkdtempSync(join(tmpdir(), 'kubespray-real-'));
  const archive = join(folder, `kubespray-${version}.tar.gz`);
  const git = (...words: readonly string[]): Buffer => execFileSync('git', ['-C', repository, ...words]);
  git('archive', `--prefix=kubespray-${version}/`, `--output=${archive}`, commit);
  const requirements = join(folder, 'requirements.txt');
  execFileSync('sh', ['-c', 'cat > "$1"', 'sh', requirements], {
    input: git('show', `${commit}:requirements.txt`),
  });
  // Those of the server's Python, whatever this machine has.
  const form = [
    '--only-binary=:all:',
    '--python-version=3.11',
    ...['2014', '_2_28', '_2_34'].map((name) => `--platform=manylinux${name}_x86_64`),
  ];
  execFileSync('python3', [
    '-m',
    'pip',
    'download',
    '--quiet',
    ...form,
    '--dest',
    join(folder, 'wheels'),
    '--requirement',
    requirements,
  ]);
  await brought(lab, 'ansible', join(folder, 'wheels'), wheels);
  await on(lab, 'ansible', 'chmod', '-R', 'a+rX', wheels);
  const sha256 = createHash('sha256').update(readFileSync(archive)).digest('hex');
  return { version, archive, sha256, python: 'python3.11', wheels };
}

/** What a user would not write: hosts that are containers share one kernel, with cgroup v1, and may change little of it. */
const lent = (cgroup: string): Readonly<Record<string, unknown>> => ({
  // Nothing but the network belongs to the host below /proc/sys.
  kubelet_protect_kernel_defaults: false,
  ...(cgroup === 'v1'
    ? { kubelet_fail_cgroup_v1: false, kubeadm_ignore_preflight_errors: ['SystemVerification'] }
    : {}),
  // The kernel has no IPVS, and its table of connections is the machine's own.
  kube_proxy_mode: 'iptables',
  kube_proxy_conntrack_max_per_core: 0,
  kube_proxy_conntrack_min: 0,
  // No dummy interface, and none of the images of these.
  enable_nodelocaldns: false,
  enable_dns_autoscaler: false,
  // The resolver of a lab host leads nowhere.
  resolvconf_mode: 'none',
  upstream_dns_servers: ['192.0.2.53'],
  // A container may not ask for a better place in the queue of the out-of-memory killer, load profiles, or have more open files.
  containerd_disable_apparmor: true,
  containerd_extra_runtime_args: { restrict_oom_score_adj: true },
  containerd_base_runtime_spec_rlimit_nofile: 20000,
  // All hosts share one disk, so none can make room on it for the others.
  kubelet_image_gc_high_threshold: 100,
  eviction_hard: { 'nodefs.available': '1%', 'imagefs.available': '1%', 'memory.available': '50Mi' },
});

/** The lab's cluster, installed by kubespray itself from the mirror, without the nodes that are left out. */
export function realDefinition(lab: Lab, given: RealCluster): string {
  const { kubespray, mirror, without = [] } = given;
  const document = parseDocument(definitionOf(lab));
  const { version, sha256, python, wheels } = kubespray;
  const { artifacts, cgroup } = describe(lab);
  const kubernetes = given.kubernetes ?? artifacts?.version;
  document.delete('offline');
  document.delete('network');
  document.setIn(['installer'], {
    kubespray: {
      ...{ version, python, wheels, kubernetes, networkPlugin: 'flannel' },
      archive: { path: `/home/ops/kubespray-${version}.tar.gz`, sha256 },
      offline: { files: mirror.files, registry: mirror.registry },
      variables: { ...lent(cgroup), ...mirror.variables },
    },
  });
  document.setIn(['containerd'], {
    registries: [{ host: mirror.registry, mirrors: [`http://${mirror.registry}`] }],
  });
  const { nodes } = document.toJS() as { readonly nodes: readonly { readonly name: string }[] };
  for (const index of nodes.map((_, at) => at).toReversed())
    if (without.includes(nodes[index]?.name ?? '')) document.deleteIn(['nodes', index]);
  return document.toString();
}

export interface RealCluster {
  readonly kubespray: Kubespray;
  readonly mirror: Mirror;
  readonly without?: readonly string[];
  /** Of the mirror; the lab's own where none is named. */
  readonly kubernetes?: string;
}

/** `PLAYSMITH_KUBESPRAY` where it is a git repository that has the tag or commit, else empty. */
export function repositoryWith(version: string): string {
  const given = process.env['PLAYSMITH_KUBESPRAY'] ?? '';
  if (given === '') return '';
  const asked = spawnSync('git', ['-C', given, 'rev-parse', '--verify', '--quiet', `${version}^{commit}`]);
  return asked.status === 0 ? given : '';
}
