import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { showProblems } from '../../../generators/source/problems.ts';
import { load } from '../../../generators/load.ts';
import {
  profile,
  type ProfileName,
  type ProfileValues,
} from '../../../generators/definition/profiles/profiles.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { labDefinition } from '../../../lab/definition.ts';
import { describe, openLab } from '../../../lab/index.ts';
import type { Failure } from '../../runtime/failures.ts';
import { asTyped } from '../../runtime/command-name.ts';
import { schemaFrom } from '../../runtime/package.ts';
import type { World } from '../../runtime/world.ts';
import { writeOver } from '../../steps/definition/former-text.ts';
import { alreadyThere } from '../../steps/definition/write-new.ts';
import { fileOption, task } from '../../task.ts';

const profiles = ['ha-stacked', 'ha-dedicated-lb', 'single', 'lab'] as const satisfies readonly ProfileName[];

export const init = task({
  name: 'init',
  positionals: '[name]',
  example: 'init edge-a --profile ha-stacked --vip 192.0.2.80/24',
  options: {
    file: fileOption,
    name: { type: 'string', describe: 'Name of the cluster; with the lab profile, of the lab' },
    profile: { choices: profiles, describe: 'Kind of cluster; lab: the one the lab was created for' },
    vip: { type: 'string', describe: 'Virtual address with its prefix' },
    'ansible-server': { type: 'string', describe: '`local`, or user@host' },
    force: { type: 'boolean', default: false, describe: 'Overwrite an existing file' },
  },
  run: async ({ file, force, ...given }, world) => {
    const path = resolve(world.cwd, file);
    if (!force && existsSync(path)) return failed(alreadyThere(path));
    const schema = schemaFrom(dirname(path));
    const text = await definition({ given, schema }, world);
    if (!text.ok) return text;
    const sound = load(text.value, file);
    if (!sound.ok) return failed(faulty(showProblems(sound.failure, text.value)));
    const written = await writeOver({ path, file, text: asTyped(text.value), force }, world);
    if (!written.ok) return written;
    world.report({ type: 'note', text: `${file} written: add your machines to it, then run npx task check` });
    return ok(undefined);
  },
});

interface InitAnswers {
  readonly name?: string | undefined;
  readonly profile?: (typeof profiles)[number] | undefined;
  readonly vip?: string | undefined;
  readonly 'ansible-server'?: string | undefined;
}

async function definition(
  { given, schema }: { readonly given: InitAnswers; readonly schema: string },
  world: World,
): Promise<Result<string, Failure>> {
  const kind = await kindAsked(given.profile, world);
  if (!kind.ok) return kind;
  const useless = withoutUse(kind.value, given);
  if (useless !== undefined) return failed(useless);
  if (kind.value === 'lab') {
    const lab = await openLab(given.name);
    return lab.ok ? ok(labDefinition(describe(lab.value), schema)) : lab;
  }
  const name = await answer(given.name, 'Name of the cluster: ', world);
  if (!name.ok) return name;
  const vip =
    kind.value === 'single'
      ? ok('')
      : await answer(given.vip, 'Virtual address with its prefix, like 192.0.2.80/24: ', world);
  if (!vip.ok) return vip;
  const server = await answer(
    given['ansible-server'],
    'Ansible server (local, or user@host) [local]: ',
    world,
  );
  if (!server.ok) return server;
  return ok(
    profile(kind.value, {
      schema,
      uid: randomUUID(),
      ...(name.value === '' ? {} : { name: name.value }),
      ...(server.value === '' ? {} : { ansibleServer: ansibleServer(server.value) }),
      ...(vip.value === '' ? {} : { endpoint: { address: vip.value } }),
    }),
  );
}

/** What nothing in the definition would come from. */
function withoutUse(kind: (typeof profiles)[number], given: InitAnswers): Failure | undefined {
  const option = needless[kind]?.find((name) => given[name] !== undefined);
  return (
    option && {
      kind: 'usage',
      message: `the profile ${kind} has no use for --${option}; nothing was written`,
    }
  );
}

const needless: Readonly<Partial<Record<ProfileName, readonly ('vip' | 'ansible-server')[]>>> = {
  single: ['vip'],
  lab: ['vip', 'ansible-server'],
};

async function kindAsked(
  given: InitAnswers['profile'],
  world: World,
): Promise<Result<(typeof profiles)[number], Failure>> {
  const named = await answer(given, `Kind of cluster (${profiles.join(', ')}) [ha-stacked]: `, world);
  if (!named.ok) return named;
  const kind = named.value === '' ? 'ha-stacked' : profiles.find((each) => each === named.value);
  return kind === undefined
    ? failed({
        kind: 'usage',
        message: `${named.value} is none of ${profiles.join(', ')}; nothing was written`,
      })
    : ok(kind);
}

/** What a flag says, else a person on a terminal, who may also go away. */
async function answer(
  flag: string | undefined,
  question: string,
  { ask, isTerminal }: World,
): Promise<Result<string, Failure>> {
  if (flag !== undefined || !isTerminal) return ok(flag ?? '');
  const said = await ask(question);
  return said === undefined ? failed({ kind: 'usage', message: 'nothing was written' }) : ok(said.trim());
}

function ansibleServer(text: string): NonNullable<ProfileValues['ansibleServer']> {
  if (text === 'local') return 'local';
  const at = text.lastIndexOf('@');
  return at < 0 ? { host: text } : { user: text.slice(0, at), host: text.slice(at + 1) };
}

const faulty = (report: string): Failure => ({
  kind: 'definition',
  message: 'with these answers the definition would have problems; nothing was written',
  report,
});
