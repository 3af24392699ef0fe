import { writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { profile, type ProfileName, type ProfileValues } from '../generators/definition/profiles.ts';
import { failed, ok } from '../generators/result.ts';
import { packageRoot } from './runtime/package.ts';
import type { World } from './runtime/world.ts';
import { fileOption, task } from './task.ts';

const profiles = ['ha-stacked', 'ha-dedicated-lb', 'single'] as const satisfies readonly ProfileName[];

export const init = task({
  name: 'init',
  positionals: '[name]',
  summary: 'Write a working definition to start from; asks on a terminal for what no flag says',
  example: 'init edge-a --profile ha-stacked --vip 192.0.2.80/24',
  options: {
    file: fileOption,
    name: { type: 'string', describe: 'Name of the cluster' },
    profile: { choices: profiles, describe: 'What kind of cluster' },
    vip: { type: 'string', describe: 'The virtual address with its prefix' },
    'ansible-server': { type: 'string', describe: '`local`, or user@host' },
    force: { type: 'boolean', default: false, describe: 'Replace a file that is there' },
  },
  run: async ({ file, force, ...given }, world) => {
    const { name, kind, vip, server } = await answers(given, world);
    const text = profile(kind, {
      schema: relative(dirname(resolve(world.cwd, file)), join(packageRoot, 'schema', 'cluster.schema.json')),
      ...(name === '' ? {} : { name }),
      ...(server === '' ? {} : { ansibleServer: ansibleServer(server) }),
      ...(vip === '' || kind === 'single' ? {} : { endpoint: { address: vip } }),
    });
    try {
      await writeFile(resolve(world.cwd, file), text, { flag: force ? 'w' : 'wx' });
    } catch (error) {
      return failed({
        kind: 'file',
        message:
          (error as NodeJS.ErrnoException).code === 'EEXIST'
            ? `${file} is there already; nothing was written`
            : (error as Error).message,
        next: 'choose another --file, or --force',
      });
    }
    world.report({ type: 'note', text: `${file} written: put in your machines, then npx task check` });
    return ok(undefined);
  },
});

interface Given {
  readonly name?: string | undefined;
  readonly profile?: (typeof profiles)[number] | undefined;
  readonly vip?: string | undefined;
  readonly 'ansible-server'?: string | undefined;
}

async function answers(
  given: Given,
  { ask }: World,
): Promise<{ name: string; kind: (typeof profiles)[number]; vip: string; server: string }> {
  const answer = async (flag: string | undefined, question: string): Promise<string> =>
    flag ?? ((await ask(question)) ?? '').trim();
  const name = await answer(given.name, 'Name of the cluster: ');
  const written = await answer(given.profile, `Kind of cluster (${profiles.join(', ')}) [ha-stacked]: `);
  const kind = profiles.find((each) => each === written) ?? 'ha-stacked';
  const vip =
    kind === 'single' ? '' : await answer(given.vip, 'Virtual address with its prefix, like 192.0.2.80/24: ');
  const server = await answer(given['ansible-server'], 'Ansible server (local, or user@host) [local]: ');
  return { name, kind, vip, server };
}

function ansibleServer(text: string): NonNullable<ProfileValues['ansibleServer']> {
  if (text === 'local') return 'local';
  const at = text.lastIndexOf('@');
  return at < 0 ? { host: text } : { user: text.slice(0, at), host: text.slice(at + 1) };
}
