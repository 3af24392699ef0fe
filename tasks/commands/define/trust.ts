import type { Machine } from '../../../generators/cluster/cluster.ts';
import { setHostKey } from '../../../generators/source/edits.ts';
import { failed, ok, type Result } from '../../../generators/result.ts';
import { agreement } from '../../runtime/agreement.ts';
import { columns } from '../../runtime/columns.ts';
import type { Failure } from '../../runtime/failures.ts';
import { fingerprint } from '../../runtime/ssh/host-key.ts';
import type { World } from '../../runtime/world.ts';
import { scanHostKeys, type Scan, type ScannedKey } from '../../steps/server/host-keys.ts';
import { pinServer } from '../../steps/server/pin-server.ts';
import { editDefinition } from '../../steps/definition/replace-file.ts';
import { withServer, type Session } from '../../steps/server/session.ts';
import { fileOption, task } from '../../task.ts';

export const trust = task({
  name: 'trust',
  positionals: '[machines..]',
  example: 'trust worker01',
  options: {
    file: fileOption,
    machines: {
      type: 'string',
      array: true,
      default: [] as string[],
      describe: 'Only these machines; a changed key is replaced only if its machine is named',
    },
    yes: { alias: 'y', type: 'boolean', default: false, describe: 'Answer yes without being asked' },
  },
  run: async ({ file, machines, yes }, world) => {
    const pinned = await pinServer(file, yes, world);
    if (!pinned.ok) return pinned;
    return withServer(file, world, (session) => trustMachines(session, { machines, yes }, world));
  },
});

async function trustMachines(
  session: Session,
  { machines, yes }: { readonly machines: readonly string[]; readonly yes: boolean },
  world: World,
): Promise<Result<void, Failure>> {
  const wanted = chosen(session, machines);
  if (!wanted.ok) return wanted;
  const scan = await scanHostKeys(session.server, wanted.value);
  if (!scan.ok) return scan;
  const rows = wanted.value.map((machine) => judgeKey(machine, scan.value));
  const heads = ['machine', 'address', 'key', 'fingerprint', 'verdict'];
  if (world.json)
    for (const { row } of rows)
      world.print(
        JSON.stringify(
          Object.fromEntries([['type', 'host-key'], ...heads.map((head, at) => [head, row[at] ?? ''])]),
        ),
      );
  else world.print(columns([[...heads.slice(0, -1), ''], ...rows.map(({ row }) => row)]));
  const isWritable = ({ verdict }: HostKeyVerdict): boolean =>
    verdict === 'new' || (verdict === 'CHANGED' && machines.length > 0);
  const keys = rows.filter(isWritable).flatMap(({ machine, key }) => (key ? [{ machine, key }] : []));
  const written = await agree(keys, { session, yes }, world);
  return written.ok ? complaint(rows.filter((row) => !isWritable(row))) : written;
}

interface HostKeyVerdict {
  readonly machine: Machine;
  readonly key: ScannedKey | undefined;
  readonly verdict: 'known' | 'new' | 'CHANGED' | 'no answer';
  readonly row: readonly string[];
}

function chosen({ cluster }: Session, names: readonly string[]): Result<readonly Machine[], Failure> {
  const unknown = names.filter((name) => !cluster.machines.some((machine) => machine.name === name));
  if (unknown.length > 0)
    return failed({ kind: 'usage', message: `the definition has no machine ${unknown.join(', ')}` });
  return ok(cluster.machines.filter(({ name }) => names.length === 0 || names.includes(name)));
}

function judgeKey(machine: Machine, scan: Scan): HostKeyVerdict {
  const key = scan.get(machine.name);
  const { hostKeys, host } = machine.ssh;
  const verdict =
    key === undefined
      ? 'no answer'
      : hostKeys.length === 0
        ? 'new'
        : hostKeys.includes(`${key.type} ${key.key}`)
          ? 'known'
          : 'CHANGED';
  return {
    machine,
    key,
    verdict,
    row: [machine.name, host, key?.type ?? '', key ? fingerprint(key) : '', verdict],
  };
}

async function agree(
  keys: readonly { readonly machine: Machine; readonly key: ScannedKey }[],
  { session, yes }: { readonly session: Session; readonly yes: boolean },
  world: World,
): Promise<Result<void, Failure>> {
  if (keys.length === 0) return ok(undefined);
  const names = keys.map(({ machine }) => machine.name).join(', ');
  const agreed = await agreement(
    `Compared these with the machines' consoles? Write the keys of ${names} into the definition?`,
    yes,
    world,
  );
  if (!agreed.ok) return agreed;
  const text = keys.reduce(
    (all, { machine, key }) => setHostKey(all, machine.name, [`${key.type} ${key.key}`]),
    session.text,
  );
  const written = await editDefinition(session, text);
  if (!written.ok) return written;
  world.report({
    type: 'note',
    text: `${keys.length} host keys written; npx task render brings them into the bundle`,
  });
  return ok(undefined);
}

/** A machine that changed its key or is silent must not look like success. */
function complaint(rows: readonly HostKeyVerdict[]): Result<void, Failure> {
  const wrong = rows.filter(({ verdict }) => verdict === 'CHANGED' || verdict === 'no answer');
  if (wrong.length === 0) return ok(undefined);
  const of = (verdict: HostKeyVerdict['verdict']): string =>
    wrong
      .filter((row) => row.verdict === verdict)
      .map(({ machine }) => machine.name)
      .join(', ');
  const changed = of('CHANGED');
  const silent = of('no answer');
  return failed({
    kind: changed === '' ? 'connection' : 'host-key',
    message: [
      changed === '' ? '' : `${changed}: not the key that the definition names`,
      silent === '' ? '' : `${silent}: no answer to the Ansible server`,
    ]
      .filter((part) => part !== '')
      .join('; '),
    next:
      changed === ''
        ? 'check that they run, and that the Ansible server reaches them directly'
        : `find out why; only for a machine that was reinstalled: npx task trust ${changed.replaceAll(',', '')}`,
  });
}
