import { randomBytes } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { agreement } from '../../runtime/agreement.ts';
import type { Failure } from '../../runtime/failures.ts';
import { resolveReference } from '../../runtime/secrets/resolve.ts';
import type { Server } from '../../runtime/server.ts';
import { bringArchive, checkArchive, type Archive } from '../../steps/server/bring-archive.ts';
import { renderBundle, type RenderedBundle } from '../../steps/bundle/bundle.ts';
import { reach } from '../../steps/server/reach.ts';
import { review } from '../../steps/bundle/review.ts';
import { fileOption, outputOption, task } from '../../task.ts';

export const bootstrap = task({
  name: 'bootstrap',
  positionals: '',
  example: 'bootstrap',
  options: {
    file: fileOption,
    output: outputOption,
    archive: {
      type: 'string',
      describe: 'Local copy of installer.kubespray.archive, uploaded to its place on the server first',
    },
    yes: { alias: 'y', type: 'boolean', default: false, describe: 'Answer yes without being asked' },
  },
  run: async ({ file, output, archive, yes }, world) => {
    const rendered = await renderBundle({ file, output }, world);
    if (!rendered.ok) return rendered;
    const { cluster, bundle, folder, shownFolder } = rendered.value;
    const reviewed = await review(bundle, {
      folder,
      definition: rendered.value.file,
      asked: cluster.review,
    });
    if (!reviewed.ok) return reviewed;
    const local = archive === undefined ? '' : resolve(world.cwd, archive);
    const checked = local === '' ? undefined : await checkArchive(local, cluster.kubespray.source);
    if (checked?.ok === false) return checked;
    const server = await reach(rendered.value);
    if (!server.ok) return server;
    const tell = (text: string): void => {
      world.report({ type: 'note', text });
    };
    try {
      const { name } = server.value;
      world.report({
        type: 'note',
        text: `${shownFolder}/bootstrap.sh will be run as root on ${name}: it installs packages there`,
      });
      const agreed = await agreement('Go on?', yes, world);
      if (!agreed.ok) return agreed;
      const brought = checked ? await bring(server.value, local, checked.value, tell) : ok(undefined);
      return brought.ok ? await install(server.value, rendered.value, tell) : brought;
    } finally {
      await server.value.close();
    }
  },
});

async function bring(
  server: Server,
  file: string,
  archive: Archive,
  tell: (line: string) => void,
): Promise<Result<void, Failure>> {
  const brought = await bringArchive(server, file, archive);
  if (!brought.ok) return brought;
  tell(
    `${server.name}:${archive.path}: ${brought.value === 'there' ? 'there already' : 'sent, and verified there'}`,
  );
  return ok(undefined);
}

async function install(
  server: Server,
  rendered: RenderedBundle,
  tell: (line: string) => void,
): Promise<Result<void, Failure>> {
  const script = rendered.bundle.files.find(({ path }) => path === 'bootstrap.sh')?.text ?? '';
  const root = await asRoot(server, rendered);
  if (!root.ok) return root;
  const { prefix, password } = root.value;
  const begin = randomBytes(16).toString('hex');
  const done = await server.run(
    { argv: [...prefix, ...scriptBehind(begin)] },
    { stdin: `${password}${begin}\n${script}`, onLine: tell },
  );
  if (!done.ok) return done;
  if (done.value.status === 0) return ok(undefined);
  return failed({
    kind: 'server',
    message: `bootstrap.sh failed on ${server.name} (status ${done.value.status ?? 'unknown'})`,
    evidence: done.value.stderr.trimEnd().split('\n').slice(-12).join('\n'),
    next: 'fix what it names; the script can be run again',
  });
}

/** A shell that runs what stands behind a line: where sudo wants no password after all, that is not the first line of a script. */
export const scriptBehind = (line: string): readonly string[] => [
  ...['sh', '-c', 'while IFS= read -r line; do [ "$line" != "$0" ] || exec sh -s; done; exit 1', line],
];

/** How to become root there. sudo reads the password from standard input, ahead of the script, only when it will ask for one. */
async function asRoot(
  server: Server,
  { cluster, file }: RenderedBundle,
): Promise<Result<{ readonly prefix: readonly string[]; readonly password: string }, Failure>> {
  const user = await server.run({ argv: ['id', '-u'] });
  if (!user.ok) return user;
  if (user.value.stdout.trim() === '0') return ok({ prefix: [], password: '' });
  const free = await server.run({ argv: ['sudo', '-n', 'true'] });
  if (!free.ok) return free;
  if (free.value.status === 0) return ok({ prefix: ['sudo', '-n'], password: '' });
  const reference = cluster.ansibleServer.kind === 'ssh' ? cluster.ansibleServer.becomePassword : null;
  if (reference === null)
    return failed({
      kind: 'server',
      message: `${server.name} asks for a password to become root, and the definition names none`,
      evidence: free.value.stderr.trim(),
      next: 'give ansibleServer.becomePassword, or run bootstrap.sh there by hand with sudo',
    });
  const password = await resolveReference(reference, dirname(file));
  if (!password.ok)
    return failed({
      kind: 'secret',
      message: `ansibleServer.becomePassword has no value: ${password.failure}`,
      next: 'provide it',
    });
  return ok({ prefix: ['sudo', '-k', '-S', '-p', ''], password: `${password.value.reveal()}\n` });
}
