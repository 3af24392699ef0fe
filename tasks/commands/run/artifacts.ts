import { dirname, resolve } from 'node:path';
import { packagesOf, systemNames, systems } from '../../../generators/artifacts/packages.ts';
import { neededForConformance } from '../../../generators/artifacts/needed.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { describeNeeds, needsOf, type Needs } from '../../artifacts/needs.ts';
import { loginsOf } from '../../artifacts/logins.ts';
import { isMirrorUrl, mirrorOf } from '../../artifacts/mirror.ts';
import { prepare } from '../../artifacts/prepare.ts';
import { pushArtifacts } from '../../artifacts/push.ts';
import { verify, type VerifiedFolder } from '../../artifacts/verify.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { World } from '../../runtime/world.ts';
import { reach } from '../../steps/server/reach.ts';
import { fileOption, task } from '../../task.ts';

const actions = ['list', 'prepare', 'verify', 'push'] as const;

export const artifacts = task({
  name: 'artifacts',
  positionals: '<action>',
  example: 'artifacts prepare --to artifacts',
  options: {
    file: fileOption,
    action: { choices: actions, demandOption: true, describe: 'What to do' },
    to: { type: 'string', describe: 'prepare: the folder to create, or to continue with' },
    from: { type: 'string', describe: 'verify, push: the folder' },
    mirror: {
      type: 'string',
      default: '',
      describe: 'A mirror that serves https://host/path below this URL as host/path, registries included',
    },
    system: {
      choices: [...systemNames, 'none'] as const,
      array: true,
      nargs: 1,
      default: ['debian-12'],
      describe: 'Operating system of the hosts to fetch packages for; repeatable',
    },
    conformance: {
      type: 'boolean',
      default: false,
      describe:
        'list, prepare: include the Kubernetes conformance tests and their images, for npx task verify --conformance',
    },
  },
  run: async ({ file, action, to, from, mirror, system, conformance }, world) => {
    const plain = await needsOf(file, world);
    if (!plain.ok) return plain;
    const needs = conformance
      ? { ...plain.value, needed: neededForConformance(plain.value.needed) }
      : plain.value;
    if (mirror !== '' && !isMirrorUrl(mirror))
      return failed(usage(`--mirror ${mirror} is no URL of http or https`));
    const wish = {
      mirror: mirrorOf(mirror),
      systems: systemNames.filter((name) => (system as readonly string[]).includes(name)),
    };
    switch (action) {
      case 'list':
        world.print(describeNeeds(needs, wish));
        return ok(undefined);
      case 'prepare':
        return to === undefined
          ? failed(usage('prepare needs a folder: --to <folder>'))
          : make(needs, { ...wish, to }, world);
      case 'verify':
      case 'push':
        return from === undefined
          ? failed(usage(`${action} needs a folder: --from <folder>`))
          : check(needs, { action, from }, world);
    }
  },
});

export interface ArtifactsWishes {
  readonly mirror: ReturnType<typeof mirrorOf>;
  readonly systems: readonly (typeof systemNames)[number][];
}

async function make(
  { loaded, online, needed }: Needs,
  { to, mirror, systems: names }: ArtifactsWishes & { readonly to: string },
  world: World,
): Promise<Result<void, Failure>> {
  const sha256 = await prepare({
    needed,
    packages: { systems: names.map((name) => systems[name]), names: packagesOf(online) },
    logins: await loginsOf(online, dirname(loaded.file)),
    mirror,
    to: resolve(world.cwd, to),
    tell: (text) => {
      world.report({ type: 'note', text });
    },
  });
  if (!sha256.ok) return sha256;
  world.report({ type: 'note', text: `${to} is complete; the definition pins it with:` });
  const place = loaded.cluster.offline.artifacts || '/srv/artifacts';
  world.print(`offline:\n  artifacts: ${place}\n  sha256: ${sha256.value}`);
  return ok(undefined);
}

async function check(
  { loaded }: Needs,
  { action, from }: { readonly action: 'verify' | 'push'; readonly from: string },
  world: World,
): Promise<Result<void, Failure>> {
  const { offline, kubernetes } = loaded.cluster;
  const folder = resolve(world.cwd, from);
  const verified = await verify(folder);
  if (!verified.ok) return verified;
  const { sha256, index, sums } = verified.value;
  world.report({
    type: 'note',
    text: `${from}: ${sums.size} files, Kubernetes ${index.kubernetes}, sha256 ${sha256}`,
  });
  if (index.kubernetes !== kubernetes.version)
    return failed(
      usage(`the definition says Kubernetes ${kubernetes.version}, ${from} holds ${index.kubernetes}`),
    );
  if (offline.artifacts !== '' && offline.sha256 !== sha256)
    return failed(usage(`the definition pins offline.sha256 ${offline.sha256}, ${from} has ${sha256}`));
  if (action === 'verify') return ok(undefined);
  return offline.artifacts === ''
    ? failed(usage(`the definition has no offline: { artifacts: …, sha256: ${sha256} }`))
    : send(loaded, { from: folder, verified: verified.value, to: offline.artifacts }, world);
}

async function send(
  loaded: Needs['loaded'],
  wish: { readonly from: string; readonly verified: VerifiedFolder; readonly to: string },
  world: World,
): Promise<Result<void, Failure>> {
  const server = await reach(loaded);
  if (!server.ok) return server;
  try {
    const tell = (text: string): void => {
      world.report({ type: 'note', text });
    };
    const pushed = await pushArtifacts(server.value, { ...wish, tell });
    if (!pushed.ok) return pushed;
    const { sent, bytes } = pushed.value;
    tell(
      `${server.value.name}:${wish.to}: ${sent} files sent (${(bytes / 1e6).toFixed(1)} MB), all verified there`,
    );
    return ok(undefined);
  } finally {
    await server.value.close();
  }
}

const usage = (message: string): Failure => ({ kind: 'usage', message });
