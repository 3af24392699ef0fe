import process from 'node:process';
import { parseDocument } from 'yaml';
import { labDefinition } from '../../../lab/definition.ts';
import {
  describe,
  down,
  exec,
  openLab,
  up,
  type Lab,
  type LabOptions,
  type LabShape,
} from '../../../lab/index.ts';
import { containerName } from '../../../lab/hosts/host-argv.ts';
import { defaultShape } from '../../../lab/state/shape.ts';
import type { Result } from '../../../generators/result.ts';
import { explain, type Failure } from '../../../tasks/runtime/failures.ts';

/** The value, or an error that says why there is none. */
export function must<Value>(result: Result<Value, Failure>): Value {
  if (!result.ok) throw new Error(explain(result.failure));
  return result.value;
}

/** Another minor than the newest one, for a lab that does not ask for one itself: `npm run test:minors` sets it. */
const otherVersion = process.env['PLAYSMITH_KUBERNETES'];

/** A new lab of that name and shape; what an earlier test run left of it is taken away first. */
export async function raiseLab(
  name: string,
  shape: Partial<LabShape> = {},
  where: Pick<LabOptions, 'subnet'> = {},
): Promise<Lab> {
  must(await down(name));
  const minor = shape.kubernetes === true && otherVersion ? { kubernetesVersion: otherVersion } : {};
  must(await up({ name, shape: { ...defaultShape, ...minor, ...shape }, ...where }, () => undefined));
  return must(await openLab(name));
}

export const definitionOf = (lab: Lab): string => labDefinition(describe(lab), 'cluster.schema.json');

/** The definition as if nodes were not there yet, or no more. */
export function definitionWithout(lab: Lab, ...gone: readonly string[]): string {
  const document = parseDocument(definitionOf(lab));
  const { nodes } = document.toJS() as { readonly nodes: readonly { readonly name: string }[] };
  for (const index of nodes.map((_, at) => at).toReversed())
    if (gone.includes(nodes[index]?.name ?? '')) document.deleteIn(['nodes', index]);
  return document.toString();
}

/** What a program on a host prints. */
export const on = async (lab: Lab, host: string, ...argv: readonly string[]): Promise<string> =>
  must(await exec(lab, host, argv)).stdout.trim();

/** Ends every container of a lab, and first what watches over each for podman: as where a machine's processes are all killed. */
export async function killHosts({ engine: { podman }, state }: Lab): Promise<void> {
  const names = state.hosts.map((host) => containerName(state.name, host.name));
  const format = '{{.State.ConmonPid}} {{.State.Pid}}';
  const shown = await podman(['container', 'inspect', '--format', format, ...names]);
  const ids = (shown.ok ? shown.value.stdout : '').trim().split(/\s+/).map(Number);
  if (ids.length !== 2 * names.length || ids.includes(0)) throw new Error('not every host runs');
  for (const id of ids) process.kill(id, 'SIGKILL');
}

/** The hosts that hold the virtual address now. */
export async function holders(lab: Lab): Promise<readonly string[]> {
  const { vip, hosts } = describe(lab);
  const able = hosts.filter(
    ({ roles }) => roles.includes('control-plane') || roles.includes('load-balancer'),
  );
  const found = await Promise.all(
    able.map(async ({ name }) => {
      const addresses = await exec(lab, name, ['ip', '-brief', 'address'], { timeout: 5 });
      return addresses.ok && addresses.value.stdout.includes(` ${vip}/`) ? [name] : [];
    }),
  );
  return found.flat();
}

/** The host that holds the virtual address, once there is exactly one: a machine under load elects it again at times. */
export async function holderOf(lab: Lab): Promise<string> {
  let found: readonly string[] = [];
  await until('one holds the address', async () => (found = await holders(lab)).length === 1);
  return found[0] ?? '';
}

/** Who answers on the virtual address, as a client sees it: the name of a control plane, or empty. */
export async function answering(lab: Lab, port: number): Promise<string> {
  const asked = await exec(lab, 'client', [
    'python3',
    '-c',
    ask,
    `https://${describe(lab).vip}:${port}/readyz`,
  ]);
  return asked.ok ? asked.value.stdout.trim() : '';
}

const ask = [
  'import ssl, sys, urllib.request',
  'context = ssl._create_unverified_context()',
  'answer = urllib.request.urlopen(sys.argv[1], timeout=2, context=context)',
  'print(answer.headers["X-Answered-By"] if answer.read() == b"ok" else "")',
].join('\n');

/** Looks again until the condition holds; the deadline is for a broken system, not a measure. */
export async function until(what: string, holds: () => Promise<boolean>, seconds = 60): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`${what}: not within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
