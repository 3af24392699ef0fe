import { expect, test } from 'vitest';
import type { Result } from '../../../../generators/result.ts';
import type { Failure } from '../../../../tasks/runtime/failures.ts';
import { renderBundle } from '../../../../tasks/steps/bundle/bundle.ts';
import { prepare, type PreparedRun } from '../../../../tasks/steps/run/prepare.ts';
import { quietWorld } from '../../../support/world.ts';

const world = quietWorld(process.cwd());

async function limited(playbook: string, ...limit: readonly string[]): Promise<Result<PreparedRun, Failure>> {
  const rendered = await renderBundle({ file: 'examples/ha-stacked.yml', output: 'playbooks' }, world);
  if (!rendered.ok) throw new Error(rendered.failure.message);
  return prepare(rendered.value, { playbook, options: { limit } }, world);
}

test('a tag that no task has is refused, to run as well as to skip; what Ansible knows is taken', async () => {
  const rendered = await renderBundle({ file: 'examples/ha-stacked.yml', output: 'playbooks' }, world);
  if (!rendered.ok) throw new Error(rendered.failure.message);
  const tagged = (options: object): Promise<Result<PreparedRun, Failure>> =>
    prepare(rendered.value, { playbook: 'haproxy', options }, world);
  for (const options of [{ tags: ['haproxi'] }, { skipTags: ['haproxy', 'haproxi'] }])
    expect(await tagged(options)).toMatchObject({
      failure: {
        kind: 'usage',
        message: expect.stringMatching(/^no task of haproxy\.yml has the tag haproxi;/) as string,
      },
    });
  expect(await tagged({ tags: ['haproxy_config', 'tagged'], skipTags: ['never'] })).toMatchObject({
    ok: true,
  });
});

test('a word of a limit that Ansible would pass over is refused, with what was probably meant', async () => {
  expect(await limited('containerd', 'worker01', 'wroker02')).toMatchObject({
    failure: { kind: 'usage', message: 'wroker02 is no machine and no group; is it worker02?' },
  });
});

test('machines, groups, and patterns are taken as they are', async () => {
  for (const word of ['worker02', 'kube_node', 'skipped', 'worker*', '!master01', '&kube_node'])
    expect(await limited('containerd', 'worker01', word)).toMatchObject({ ok: true });
});

test('packages of machines are patched where the definition lists some', async () => {
  expect(await limited('patch')).toMatchObject({
    failure: { next: expect.stringContaining('patch: { packages') as string },
  });
});
