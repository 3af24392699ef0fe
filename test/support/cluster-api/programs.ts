import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { debianMirror } from '../../../lab/images/images.ts';
import { goBuild, sources as labSources } from '../../../lab/kubernetes/compile.ts';
import { toolchain } from '../../../lab/kubernetes/toolchain.ts';
import { place } from '../../../lab/machine/place.ts';
import { cacheFolder } from '../../../tasks/runtime/folders.ts';
import { must } from '../hosts/lab.ts';

/** Programs of Cluster API and Helm, built from their Go modules. */
export interface ClusterApi {
  /** Holds `core`, `bootstrap`, `control-plane`, `clusterctl` and `helm`. */
  readonly bin: string;
  /** The source of the module, with its definitions of resources. */
  readonly module: string;
  readonly version: string;
}

const fixture = join(import.meta.dirname, '../../fixtures/cluster-api');
const module = 'sigs.k8s.io/cluster-api';
const packages = {
  core: module,
  bootstrap: `${module}/bootstrap/kubeadm`,
  'control-plane': `${module}/controlplane/kubeadm`,
  clusterctl: `${module}/cmd/clusterctl`,
};

/** Builds them; once for each go.sum, outside the checkout. */
export async function clusterApi(): Promise<ClusterApi> {
  const helm = join(labSources, 'helm-3.22.0');
  const sums = [fixture, helm].map((folder) => readFileSync(join(folder, 'go.sum'), 'utf8'));
  const folder = join(
    cacheFolder(),
    'cluster-api',
    createHash('sha256').update(sums.join()).digest('hex').slice(0, 12),
  );
  const { go, env } = must(
    await toolchain({ cache: place().go, mirror: debianMirror(), tell: () => undefined }),
  );
  const run = (cwd: string, ...words: readonly string[]): string =>
    execFileSync(go, words, {
      cwd,
      env: { ...process.env, ...env, CGO_ENABLED: '0' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }).trim();
  // Of a module that is not there yet, `list` names no folder.
  run(fixture, 'mod', 'download', module);
  const [version = '', source = ''] = run(
    fixture,
    ...['list', '-m', '-f', '{{.Version}} {{.Dir}}', module],
  ).split(' ');
  const found = { bin: join(folder, 'bin'), module: source, version };
  if (existsSync(found.bin)) return found;
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(join(partial, 'bin'), { recursive: true });
  const values = { [`${module}/version.gitVersion`]: version };
  for (const [name, each] of Object.entries(packages))
    run(fixture, ...goBuild({ values }, { go, out: join(partial, 'bin', name) }).slice(1), each);
  run(
    helm,
    ...goBuild({ values: {} }, { go, out: join(partial, 'bin/helm') }).slice(1),
    'helm.sh/helm/v3/cmd/helm',
  );
  mkdirSync(folder, { recursive: true });
  renameSync(join(partial, 'bin'), found.bin);
  rmSync(partial, { recursive: true });
  return found;
}
