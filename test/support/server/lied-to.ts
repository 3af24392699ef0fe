import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { formatSums } from '../../../tasks/runtime/sums.ts';

interface Way {
  readonly port: number;
  readonly user: string;
  /** Path of the private key. */
  readonly key: string;
  readonly hostKey: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const keyOfMachine = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMWF5R/rGki6T+Vb4BMpf3PZzZ3P+ldk4MJKR8K07W36';

/** The home of an operator whose Ansible server lies: definitions of all kinds, and files that are nobody's business. */
export function liedTo(way: Way) {
  const home = mkdtempSync(join(tmpdir(), 'playsmith-home-'));
  const folder = join(home, 'project');
  const artifacts = { 'index.json': '{"kubernetes":"1.37.2","files":[]}' };
  const sums = formatSums(new Map(Object.entries(artifacts).map(([path, text]) => [path, sha256(text)])));
  const texts: Readonly<Record<string, string>> = {
    '.ssh/id_ed25519': 'canary of a key\n',
    '.bashrc': 'canary of a shell\n',
    'project/.gitignore': '.playsmith/\n',
    'project/web.yaml': manifest,
    'project/kubespray.tar.gz': 'archive',
    'project/cluster.yml': cluster(way, sha256(sums)),
    'project/timed.yml': timed(way),
    'project/kubespray.yml': kubespray(way),
    'project/osa.yml': osa(way),
    'project/osa/openstack_user_config.yml': readFileSync(
      'examples/osa-magnum/openstack_user_config.yml',
      'utf8',
    ),
    'project/fleet.yml': fleet(way),
    'project/artifacts/SHA256SUMS': sums,
    ...Object.fromEntries(
      Object.entries(artifacts).map(([path, text]) => [`project/artifacts/${path}`, text]),
    ),
  };
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  const pristine = `${home}-pristine`;
  let before: ReadonlyMap<string, string> = new Map();
  return {
    folder,
    definitions: ['cluster.yml', 'timed.yml', 'kubespray.yml', 'osa.yml', 'fleet.yml'],
    settle: () => {
      cpSync(home, pristine, { recursive: true });
      before = states(home);
    },
    /** What is there now and was not, or is another file; what is kept below `.playsmith`, and definitions, may change. */
    strays: () => {
      const now = states(home);
      const changed = [...now.keys(), ...before.keys()].filter((path) => now.get(path) !== before.get(path));
      return changed.filter(
        (path) =>
          !/^project\/(?:\.playsmith|copies|(?:cluster|osa)\.yml$)/.test(path) &&
          textOf(join(home, path)) !== textOf(join(pristine, path)),
      );
    },
    /** Whether a task changed a definition: `trust` and `probe` write into theirs. */
    isEdited: () =>
      ['cluster.yml', 'osa.yml'].some(
        (name) => textOf(join(folder, name)) !== textOf(join(pristine, 'project', name)),
      ),
    reset: () => {
      for (const path of ['.playsmith', 'copies'])
        rmSync(join(folder, path), { recursive: true, force: true });
      for (const name of ['cluster.yml', 'osa.yml'])
        cpSync(join(pristine, 'project', name), join(folder, name));
    },
    remove: () => {
      for (const path of [home, pristine]) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Files by their paths, each with what the kernel changes whenever somebody writes it, so that few have to be read. */
const states = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        const { ino, size, mode, ctimeNs } = lstatSync(path, { bigint: true });
        return [relative(folder, path), [ino, size, mode, ctimeNs].join()];
      }),
  );

/** A link is what it points to by its own name, never what lies there. */
function textOf(path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 'nothing';
  return found.isFile() ? readFileSync(path, 'latin1') : 'no file';
}

const server = ({ port, user, key, hostKey }: Way): string =>
  `ansibleServer: { host: 127.0.0.1, port: ${port}, user: ${user}, auth: { privateKey: ${key} }, hostKey: ${hostKey}, directory: /nowhere/playsmith }`;

const head = (kind: string, name: string, way: Way): string =>
  `apiVersion: playsmith/v1\nkind: ${kind}\nmetadata: { name: ${name} }\n${server(way)}\n`;

const manifest =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: { replicas: 1, selector: { matchLabels: { a: b } }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: web, image: web }] } } }\n';

const machine = (name: string, address: string, roles: string): string =>
  `  - { name: ${name}, roles: [${roles}], address: ${address}, ssh: { hostKey: ${keyOfMachine} } }\n`;

const nodes =
  'controlPlaneEndpoint: { address: 192.0.2.80/24, port: 8443, loadBalancer: { placement: stacked } }\nnodes:\n' +
  ['11', '12', '13'].map((end, at) => machine(`cp${at + 1}`, `192.0.2.${end}`, 'control-plane')).join('') +
  machine('worker1', '192.0.2.21', 'worker') +
  machine('worker2', '192.0.2.22', 'worker');

const cluster = (
  way: Way,
  sha: string,
): string => `${head('Cluster', 'try', way)}installer: { kubeadm: { version: 1.37.2 } }
offline: { artifacts: /srv/artifacts, sha256: ${sha} }
network: { nodeSubnet: 192.0.2.0/24, plugin: static-routes }
ssh: { user: ubuntu }
drills: {}
extraPlaybooks: [conformance, tacker-vim]
patch: { packages: { tzdata: 2026f-0+deb12u1 } }
${nodes}hosts:
  - { name: store, address: 192.0.2.90, ssh: { hostKey: ${keyOfMachine} } }
storage:
  host: store
  volumes: [{ device: /dev/vdb, mountTo: /volume }]
  exports: [{ path: /volume/pv1, to: 192.0.2.0/24 }]
cnfs:
  - name: web
    namespace: tenant
    manifests: [web.yaml]
    tenant: {}
    scaling: [{ aspect: web, kind: Deployment, name: web, step: 1, minimum: 1, maximum: 5 }]
`;

const timed = (way: Way): string =>
  `${head('Cluster', 'timed', way)}installer: { kubeadm: { version: 1.37.2 } }
network: { nodeSubnet: 192.0.2.0/24, plugin: static-routes }
ssh: { user: ubuntu }
${nodes}schedule: { jobs: [{ job: drift, onCalendar: daily }] }
`;

const kubespray = (way: Way): string =>
  `${head('Cluster', 'spray', way)}installer: { kubespray: { version: v2.28.1, archive: { path: /srv/kubespray.tar.gz, sha256: ${sha256('archive')} } } }\nssh: { user: ubuntu }\n${nodes}`;

const osa = (way: Way): string =>
  readFileSync('examples/osa-magnum.yml', 'utf8')
    .replace(/^review: .*\n/m, '')
    .replace(/^ansibleServer: .*$/m, server(way))
    .replace(/^metadata: .*$/m, 'metadata: { name: osa }')
    .replaceAll('[osa-magnum/', '[osa/');

const fleet = (
  way: Way,
): string => `${head('Fleet', 'mesh', way)}ssh: { user: ${way.user}, privateKey: ~/.ssh/id_ed25519 }
nodes:
  - { name: control, role: control, address: 198.51.100.5 }
  - { name: exec, role: execution, site: paris, address: 192.0.2.99, peers: [control], ssh: { hostKey: ${keyOfMachine} } }
clusters:
  - { name: try, definition: cluster.yml, site: paris }
`;
