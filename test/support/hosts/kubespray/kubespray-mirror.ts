import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { debianMirror } from '../../../../lab/images/images.ts';
import { fetchDebs } from '../../../../lab/kubernetes/debian.ts';
import { releaseOf } from '../../../../lab/kubernetes/releases.ts';
import { artifactsPath } from '../../../../lab/state/state.ts';
import { containerName } from '../../../../lab/hosts/host-argv.ts';
import { describe, exec, type Lab } from '../../../../lab/index.ts';
import { packageRoot } from '../../../../tasks/runtime/package.ts';
import { program } from '../../../../tasks/runtime/program.ts';
import { there } from '../../there.ts';
import { must, on } from '../lab.ts';

/** What kubespray is told of a mirror: its two servers, and its variables for what differs from the tag's own. */
export interface Mirror {
  readonly files: string;
  readonly registry: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Packages that kubespray v2.31.0 asks Debian 12 for, and those of the mirror itself. */
const packages = [
  ...['apparmor', 'apt-transport-https', 'bash-completion', 'conntrack', 'curl', 'e2fsprogs', 'ebtables'],
  ...[
    'gnupg',
    'iproute2',
    'ipset',
    'iptables',
    'iputils-ping',
    'libseccomp2',
    'mergerfs',
    'openssl',
    'python3-apt',
  ],
  ...[
    'rsync',
    'socat',
    'software-properties-common',
    'tar',
    'unzip',
    'xfsprogs',
    'python3-venv',
    'docker-registry',
    'skopeo',
  ],
];

/** Makes the Ansible server of a lab everything that the site's own mirrors are: packages, files and images of its Kubernetes. */
export async function mirrorFor(lab: Lab, kubernetes: string): Promise<Mirror> {
  await packagesOn(lab);
  const programs = ['docker-registry', 'skopeo'];
  await on(lab, 'ansible', 'apt-get', 'install', '--yes', '--no-install-recommends', ...programs);
  await given(lab, 'ansible', '/etc/docker/registry/config.yml', registryConfig);
  await on(lab, 'ansible', 'systemctl', 'restart', 'docker-registry');
  const script = await readFile(
    join(packageRoot, 'test/support/hosts/kubespray/kubespray-mirror.py'),
    'utf8',
  );
  await given(lab, 'ansible', '/srv/mirror.py', script);
  return mirrorOf(lab, kubernetes, artifactsPath);
}

/** Adds a Kubernetes to a mirror, from a folder of the server with its artifacts. */
export async function mirrorOf(lab: Lab, kubernetes: string, artifacts: string): Promise<Mirror> {
  const { files, registry } = placesOf(lab);
  const release = there(releaseOf(kubernetes));
  // Every tag is told these two, whichever it would ask for itself: the files in the mirror have their names.
  const [crictl, nerdctl] = ['1.35.0', '2.2.2'];
  const versions = JSON.stringify({ ...release, cni: release.cniPlugins, crictl, nerdctl });
  const laidOut = ['python3', '/srv/mirror.py', artifacts, '/srv/mirror', registry, versions];
  const sums = JSON.parse(await on(lab, 'ansible', ...laidOut)) as Record<string, string>;
  return {
    files,
    registry,
    variables: {
      ...sums,
      etcd_version: release.etcd,
      containerd_version: release.containerd,
      runc_version: release.runc,
      crictl_version: crictl,
      nerdctl_version: nerdctl,
      cni_version: release.cniPlugins,
      coredns_version: release.coredns,
      flannel_version: release.flannel,
      flannel_cni_version: '1.9.1-flannel1',
    },
  };
}

function placesOf(lab: Lab): { readonly files: string; readonly registry: string } {
  const { address } = there(describe(lab).hosts.find(({ name }) => name === 'ansible'));
  return { files: `http://${address}:8080`, registry: `${address}:5000` };
}

/** Brings packages to the server, which gives them to every host from then on. */
async function packagesOn(lab: Lab): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kubespray-packages-'));
  const debs = must(await fetchDebs({ folder, suite: 'bookworm', mirror: debianMirror(), packages }));
  const listed = await program(['dpkg-scanpackages', '--multiversion', '.'], { cwd: debs, timeout: 300 });
  if (!listed.ok) throw new Error(listed.failure.stderr);
  await writeFile(join(debs, 'Packages'), listed.value.stdout);
  await on(lab, 'ansible', 'mkdir', '-p', '/srv/mirror');
  await brought(lab, 'ansible', debs, '/srv/mirror/debian');
  await rm(folder, { recursive: true });
  await on(
    lab,
    'ansible',
    ...['systemd-run', '--unit=mirror', 'python3', '-m', 'http.server', '8080', '--directory', '/srv/mirror'],
  );
  for (const { name } of describe(lab).hosts.filter(({ roles }) => !roles.includes('client')))
    await packagesFor(lab, name);
}

/** Points a host to the site's packages, as the image that it was installed from would. */
export async function packagesFor(lab: Lab, host: string): Promise<void> {
  const source = `deb [trusted=yes] ${placesOf(lab).files}/debian ./\n`;
  await given(lab, host, '/etc/apt/sources.list.d/site.list', source);
  await on(lab, host, 'apt-get', 'update', '--quiet=2');
}

/** Copies a folder of this machine to a host, where it must not be yet. */
export async function brought(lab: Lab, host: string, folder: string, to: string): Promise<void> {
  const { engine, state } = lab;
  const copied = await engine.podman(['cp', folder, `${containerName(state.name, host)}:${to}`], {
    timeout: 600,
  });
  if (!copied.ok) throw new Error(copied.failure.stderr);
}

async function given(lab: Lab, host: string, path: string, text: string): Promise<void> {
  must(await exec(lab, host, ['sh', '-c', `cat > ${path}`], { input: text }));
}

const registryConfig = [
  'version: 0.1',
  'storage: { filesystem: { rootdirectory: /var/lib/docker-registry } }',
  "http: { addr: ':5000' }",
  '',
].join('\n');
