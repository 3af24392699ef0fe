import { rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { ok, type Result } from '../../../generators/result.ts';
import { loseHolder } from '../../../lab/client/lose-holder.ts';
import { giveKubeconfig } from '../../../lab/client/user.ts';
import { runWorkload, showNodes } from '../../../lab/client/workload.ts';
import { labDefinition } from '../../../lab/definition.ts';
import { describe, type LabDescription } from '../../../lab/hosts/describe.ts';
import type { OnProgress } from '../../../lab/machine/lab-failure.ts';
import { labOption, openLab, type Lab } from '../../../lab/state/lab.ts';
import { perform } from '../../pipeline.ts';
import type { Failure } from '../../runtime/failures.ts';
import { createFolder } from '../../runtime/folders.ts';
import { schemaFrom } from '../../runtime/package.ts';
import type { World } from '../../runtime/world.ts';
import { renderBundle, type DefinitionPlace } from '../../steps/bundle/bundle.ts';
import { appliedCopy } from '../../steps/state/life.ts';
import { takeKubeconfig } from '../../steps/state/kubeconfig.ts';
import { write } from '../../steps/bundle/write.ts';
import { keepsake } from '../../steps/run/watch.ts';

/** The main job, in the lab: a definition becomes a bundle, the bundle a cluster, and its API outlives the loss of a host. */
export async function demonstrate(name: string, world: World): Promise<Result<void, Failure>> {
  const opened = await openLab(name);
  if (!opened.ok) return opened;
  const lab = opened.value;
  const tell = (text: string): void => {
    world.report({ type: 'note', text });
  };
  const { artifacts, hosts } = describe(lab);
  const place = await writeDefinition(describe(lab), world);
  const written = await writeBundle(place, world);
  if (!written.ok) return written;
  if (artifacts !== undefined)
    tell(`Installing Kubernetes ${artifacts.version} on ${hosts.length - 2} hosts (about 4 minutes)`);
  const ran = await perform({ ...place, playbook: '', options: {} }, world);
  if (!ran.ok) return ran;
  const used = artifacts === undefined ? ok(undefined) : await useCluster(lab, place, world);
  if (!used.ok) return used;
  const lost = await loseHolder(lab, tell);
  if (!lost.ok) return lost;
  const back = artifacts === undefined ? ok(undefined) : await showNodes(lab, tell);
  if (back.ok) sayHowToGoOn(place, describe(lab), tell);
  return back;
}

/** In the git-ignored folder, so that a demonstration leaves nothing to commit. */
async function writeDefinition(lab: LabDescription, { cwd, report }: World): Promise<DefinitionPlace> {
  const folder = join(cwd, keepsake, lab.name);
  const file = join(folder, 'cluster.yml');
  createFolder(dirname(file));
  await writeFile(file, labDefinition(lab, schemaFrom(folder)));
  // An earlier lab of that name may have had other addresses, and its hosts are gone.
  await rm(join(cwd, keepsake, appliedCopy(lab.name)), { force: true });
  report({ type: 'note', text: `definition: ${relative(cwd, file)}` });
  return { file: relative(cwd, file), output: relative(cwd, join(folder, 'playbooks')) };
}

async function writeBundle(place: DefinitionPlace, world: World): Promise<Result<void, Failure>> {
  const rendered = await renderBundle(place, world);
  if (!rendered.ok) return rendered;
  const { bundle, folder, shownFolder } = rendered.value;
  const written = await write(bundle, folder);
  if (!written.ok) return written;
  world.report({ type: 'note', text: `playbooks: ${shownFolder}, ${bundle.files.length} files` });
  return ok(undefined);
}

/** Fetches the kubeconfig as `npx task kubeconfig` does, and hands it to a user inside the lab. */
async function useCluster(lab: Lab, place: DefinitionPlace, world: World): Promise<Result<void, Failure>> {
  const to = join(dirname(place.file), 'kubeconfig');
  const fetched = await perform({ ...place, playbook: 'kubeconfig', options: {} }, world, (session) =>
    takeKubeconfig(session, { to, force: true }, { ...world, print: () => undefined }),
  );
  if (!fetched.ok) return fetched;
  const given = await giveKubeconfig(lab, join(world.cwd, to));
  if (!given.ok) return given;
  const tell = (text: string): void => {
    world.report({ type: 'note', text });
  };
  const shown = await showNodes(lab, tell);
  return shown.ok ? runWorkload(lab, tell) : shown;
}

function sayHowToGoOn(
  { file, output }: DefinitionPlace,
  { name, artifacts }: LabDescription,
  tell: OnProgress,
): void {
  const which = labOption(name);
  const ways = [
    ...(artifacts ? [['look around', `npx task lab ssh${which} client 'kubectl get pods -A'`]] : []),
    ['change the definition and run it again', `npx task run --file ${file} --output ${output}`],
    ['break something', `npx task lab fault${which} freeze cp2`],
    ['end it', `npx task lab down${which}`],
  ];
  tell(['The lab stays up. You can', ...ways.map(([what, how]) => `  ${what}: ${how}`)].join('\n'));
}
