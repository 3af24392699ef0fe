import { randomUUID } from 'node:crypto';
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
import { writeNew } from '../../steps/definition/write-new.ts';
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
    const schema = schemaFrom(dirname(path));
    const text = await definition({ given, schema }, world);
    if (!text.ok) return text;
    const sound = load(text.value, file);
    if (!sound.ok) return failed(faulty(showProblems(sound.failure, text.value)));
    const written = await writeNew(path, asTyped(text.value), force);
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
  { ask }: World,
): Promise<Result<string, Failure>> {
  const answer = async (flag: string | undefined, question: string): Promise<string> =>
    flag ?? ((await ask(question)) ?? '').trim();
  const named = await answer(given.profile, `Kind of cluster (${profiles.join(', ')}) [ha-stacked]: `);
  const kind = profiles.find((each) => each === named) ?? 'ha-stacked';
  if (kind === 'lab') {
    const lab = await openLab(given.name);
    return lab.ok ? ok(labDefinition(describe(lab.value), schema)) : lab;
  }
  const name = await answer(given.name, 'Name of the cluster: ');
  const vip =
    kind === 'single' ? '' : await answer(given.vip, 'Virtual address with its prefix, like 192.0.2.80/24: ');
  const server = await answer(given['ansible-server'], 'Ansible server (local, or user@host) [local]: ');
  return ok(
    profile(kind, {
      schema,
      uid: randomUUID(),
      ...(name === '' ? {} : { name }),
      ...(server === '' ? {} : { ansibleServer: ansibleServer(server) }),
      ...(vip === '' ? {} : { endpoint: { address: vip } }),
    }),
  );
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
