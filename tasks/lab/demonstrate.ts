import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { failed, ok, type Result } from '../../generators/result.ts';
import { perform } from '../pipeline.ts';
import type { Failure } from '../runtime/failures.ts';
import { packageRoot } from '../runtime/package.ts';
import type { World } from '../runtime/world.ts';
import { renderBundle, type Place } from '../steps/bundle.ts';
import { write } from '../steps/write.ts';
import { labDefinition } from './definition.ts';
import { describe, type LabDescription } from './describe.ts';
import { faults } from './faults/index.ts';
import { exec, openLab, type Lab } from './lab.ts';
import { startProbe, stopProbe } from './probe.ts';

/** The main job, in the lab: a definition becomes a bundle, runs on real hosts, and the virtual address outlives its holder. */
export async function demonstrate(name: string, world: World): Promise<Result<void, Failure>> {
  const opened = await openLab(name);
  if (!opened.ok) return opened;
  const lab = describe(opened.value);
  const place = await writeDefinition(lab, world);
  const rendered = await renderBundle(place, world);
  if (!rendered.ok) return rendered;
  const { bundle, folder, shownFolder } = rendered.value;
  const written = await write(bundle, folder);
  if (!written.ok) return written;
  world.report({ type: 'bundle-rendered', folder: shownFolder, digest: bundle.digest, ...written.value });
  const ran = await perform({ ...place, playbook: 'site', options: {} }, world);
  if (!ran.ok) return ran;
  return loseHolder(opened.value, { url: `https://${lab.vip}:6440/readyz`, place }, world);
}

/** In the git-ignored folder, so that a demonstration leaves nothing to commit. */
async function writeDefinition(lab: LabDescription, { cwd, report }: World): Promise<Place> {
  const folder = join(cwd, '.playsmith', lab.name);
  const file = join(folder, 'cluster.yml');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(
    file,
    labDefinition(lab, relative(folder, join(packageRoot, 'schema', 'cluster.schema.json'))),
  );
  report({ type: 'note', text: `definition: ${relative(cwd, file)}` });
  return { file: relative(cwd, file), output: relative(cwd, join(folder, 'playbooks')) };
}

async function loseHolder(
  lab: Lab,
  { url, place }: { readonly url: string; readonly place: Place },
  { report }: World,
): Promise<Result<void, Failure>> {
  const say = (text: string): void => {
    report({ type: 'note', text });
  };
  const holder = await holderOf(lab);
  if (holder === undefined) return nobodyHolds(url);
  say(`${holder} holds the virtual address; a client asks ${url} twenty times a second`);
  const probing = await startProbe(lab, url);
  if (!probing.ok) return probing;
  await sleep(3000);
  say(`cutting the power of ${holder}`);
  const cut = await faults.power.inject(lab, { host: holder });
  if (!cut.ok) return cut;
  await sleep(8000);
  const seen = await stopProbe(lab);
  if (!seen.ok) return seen;
  const next = await holderOf(lab);
  const { asked, answered, gaps, answeredBy } = seen.value;
  if (next === undefined || gaps.some(({ from, seconds }) => from + seconds >= seen.value.seconds))
    return nobodyHolds(url);
  const outage = gaps.reduce((longest, { seconds }) => Math.max(longest, seconds), 0);
  say(
    `${next} holds it now. ${answered} of ${asked} requests were answered, by ${answeredBy.map(({ name }) => name).join(', ')}`,
  );
  say(
    outage === 0
      ? 'No client waited longer than 0.3 s'
      : `Clients were without an answer for ${outage.toFixed(2)} s`,
  );
  say(`booting ${holder} again`);
  const booted = await faults.power.undo(lab, { host: holder });
  if (!booted.ok) return booted;
  say(
    `The lab stays up. Go on with: npx task run --file ${place.file} --output ${place.output}\n               or end it: npx task lab down`,
  );
  return ok(undefined);
}

const nobodyHolds = (url: string): Result<never, Failure> =>
  failed({
    kind: 'lab',
    message: `${url} does not answer`,
    evidence: '',
    next: 'npx task lab status; npx task logs',
  });

/** The control plane or load balancer that has the virtual address now. */
async function holderOf(lab: Lab): Promise<string | undefined> {
  const { vip, hosts } = describe(lab);
  for (const { name, roles } of hosts) {
    if (!roles.includes('control-plane') && !roles.includes('load-balancer')) continue;
    const addresses = await exec(lab, name, ['ip', '-brief', 'address']);
    if (addresses.ok && addresses.value.stdout.includes(` ${vip}/`)) return name;
  }
  return undefined;
}
