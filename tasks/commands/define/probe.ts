import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { setRelease } from '../../../generators/source/edits.ts';
import { releases } from '../../../generators/catalog/openstack-ansible/releases.ts';
import { load as loadText } from '../../../generators/load.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { yesOption } from '../run/apply.ts';
import { agreement } from '../../runtime/agreement.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { World } from '../../runtime/world.ts';
import { askDeployHost, releaseOf, type DeployHostFacts } from '../../steps/server/examine-osa.ts';
import { readFiles } from '../../steps/definition/files.ts';
import { load, type DefinitionFile } from '../../steps/definition/load.ts';
import { reach } from '../../steps/server/reach.ts';
import { editDefinition } from '../../steps/definition/replace-file.ts';
import { fileOption, task } from '../../task.ts';

export const probe = task({
  name: 'probe',
  positionals: '',
  example: 'probe --file osa.yml',
  options: {
    file: fileOption,
    yes: yesOption,
  },
  run: async ({ file, yes }, world): Promise<Result<void, Failure>> => {
    const loaded = await loadWithout(file, world);
    if (!loaded.ok) return loaded;
    const { cluster } = loaded.value;
    if (cluster.osa === undefined)
      return failed({
        kind: 'usage',
        message: `${file} defines no OpenStack-Ansible`,
        next: 'Name one: --file',
      });
    const server = await reach(loaded.value);
    if (!server.ok) return server;
    try {
      const facts = await askDeployHost(server.value, cluster);
      if (!facts.ok) return facts;
      const release = readRelease(facts.value, cluster.osa.checkout);
      return release.ok ? await writeRelease(loaded.value, { release: release.value, yes }, world) : release;
    } finally {
      await server.value.close();
    }
  },
});

interface ReleaseOnServer extends DefinitionFile {
  /** The release that the definition names; empty: none yet. */
  readonly named: string;
}

/** The definition as it is or, where it names no release yet, as it would be with one of them. */
async function loadWithout(file: string, world: World): Promise<Result<ReleaseOnServer, Failure>> {
  const path = resolve(world.cwd, file);
  const text = await readFile(path, 'utf8').catch(() => '');
  const files = await readFiles(text, dirname(path));
  for (const guess of ['', ...Object.keys(releases).toReversed()]) {
    const loaded = loadText(guess === '' ? text : withRelease(text, guess), relative(world.cwd, path), files);
    if (!loaded.ok) continue;
    const { cluster } = loaded.value;
    return ok({ cluster, file: path, text, named: guess === '' ? (cluster.osa?.release ?? '') : '' });
  }
  // Whatever else is wrong with it is told by its own reader.
  const told = await load(file, world);
  return told.ok ? ok({ ...told.value, named: '' }) : told;
}

function withRelease(text: string, release: string): string {
  try {
    return setRelease(text, release);
  } catch {
    return '';
  }
}

function readRelease(fact: DeployHostFacts, checkout: string): Result<string, Failure> {
  const unfit = (message: string, next: string): Result<string, Failure> =>
    failed({ kind: 'unfit', message, next });
  if (fact('reached') !== 'yes')
    return unfit(
      `The deploy host was not asked: ${fact('refused') || 'it said nothing'}`,
      'npx task trust, and see that the Ansible server reaches it',
    );
  if (fact('checkout') === '')
    return unfit(
      `There is no OpenStack-Ansible at ${checkout}`,
      'openStackAnsible.checkout says where it is',
    );
  const release = releaseOf(fact('version'));
  return release === ''
    ? unfit(
        `It has version ${fact('version') || 'unknown'}, which is none of ${Object.keys(releases).join(', ')}`,
        'openStackAnsible.release, by hand, if it is one of these all the same',
      )
    : ok(release);
}

async function writeRelease(
  { file, text, named, cluster }: ReleaseOnServer,
  { release, yes }: { readonly release: string; readonly yes: boolean },
  world: World,
): Promise<Result<void, Failure>> {
  if (named === release) {
    world.report({ type: 'note', text: `${cluster.name}: release ${release}, as the definition says` });
    return ok(undefined);
  }
  const agreed = await agreement(
    `The deploy host has release ${release}. Write it into the definition?`,
    yes,
    world,
  );
  if (!agreed.ok) return agreed;
  const replaced = await editDefinition({ file, text }, setRelease(text, release));
  if (!replaced.ok) return replaced;
  world.report({
    type: 'note',
    text: `release ${release} written; npx task render brings it into the bundle`,
  });
  return ok(undefined);
}
