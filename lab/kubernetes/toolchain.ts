import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ok, type Result } from '../../generators/result.ts';
import { program } from '../../tasks/runtime/program.ts';
import { labFailure, programFailure, type LabFailure, type OnProgress } from '../machine/lab-failure.ts';
import { fetchDebs, unpackDebs } from './debian.ts';
import { goToolchain } from './modules.ts';
import { goFlags } from './recipe.ts';

/** How Go is called for a build. */
export interface Toolchain {
  /** The program. */
  readonly go: string;
  readonly env: Readonly<Record<string, string>>;
}

interface ToolchainPlace {
  /** Where Go keeps what it fetched and compiled, and a Go of Debian's where this machine has none. */
  readonly cache: string;
  readonly mirror: string;
  readonly tell: OnProgress;
}

/**
 * The one release of Go that builds the lab's programs, so that they are the same bytes everywhere. Go fetches it
 * through its own module proxy, checked by its checksum database, once there is a Go of 1.21 or later: this machine's,
 * or else Debian 13's, which is unpacked into the cache and not installed.
 */
export async function toolchain(wanted: ToolchainPlace): Promise<Result<Toolchain, LabFailure>> {
  const env = environment(wanted.cache);
  const own = await knows('go', env);
  if (own) return ok({ go: 'go', env });
  const debian = join(wanted.cache, 'debian', debianRoot, 'bin/go');
  if (!existsSync(debian)) {
    const fetched = await fromDebian(wanted);
    if (!fetched.ok) return fetched;
  }
  const withRoot = { ...env, GOROOT: join(wanted.cache, 'debian', debianRoot) };
  if (await knows(debian, withRoot)) return ok({ go: debian, env: withRoot });
  return labFailure(
    `${goToolchain}, which builds the lab's Kubernetes, is not to be had`,
    'Install Go 1.21 or later, let this machine reach a proxy for Go modules (go env GOPROXY), then try again: npx task lab up --kubernetes',
  );
}

const debianRoot = 'usr/lib/go-1.24';

/** Whether this Go is the wanted one, or can become it. */
async function knows(go: string, env: Readonly<Record<string, string>>): Promise<boolean> {
  const asked = await program([go, 'version'], { env, timeout: 600 });
  return asked.ok && asked.value.stdout.includes(` ${goToolchain} `);
}

async function fromDebian({ cache, mirror, tell }: ToolchainPlace): Promise<Result<void, LabFailure>> {
  tell(`Fetching Go from Debian 13's packages at ${mirror} (about a minute; it is not installed)`);
  const debs = await fetchDebs({
    folder: join(cache, 'apt'),
    suite: 'trixie',
    mirror,
    packages: ['golang-1.24-go', 'golang-1.24-src'],
    alone: true,
  });
  if (!debs.ok) return debs;
  const unpacked = await unpackDebs(debs.value, ['golang-1.24-go', 'golang-1.24-src'], join(cache, 'debian'));
  return unpacked.ok ? unpacked : programFailure('Unpacking Go', unpacked.failure);
}

/** Nothing of a person's own settings changes what is built; where modules come from stays as they set it. */
const environment = (cache: string): Readonly<Record<string, string>> => ({
  GOTOOLCHAIN: goToolchain,
  GOPATH: join(cache, 'path'),
  GOMODCACHE: join(cache, 'modules'),
  GOCACHE: join(cache, 'built'),
  GOFLAGS: goFlags,
  // A compiler that may use more memory takes a quarter less time.
  GOGC: '400',
  GOWORK: 'off',
  GO111MODULE: 'on',
  GOEXPERIMENT: '',
  GOOS: 'linux',
  GOARCH: 'amd64',
  GOAMD64: 'v1',
});
