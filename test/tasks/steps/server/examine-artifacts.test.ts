import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { overview } from '../../../../tasks/apply/overview.ts';
import { seal } from '../../../../tasks/artifacts/seal.ts';
import type { RenderedBundle } from '../../../../tasks/steps/bundle/bundle.ts';
import { examineArtifacts } from '../../../../tasks/steps/server/examine-artifacts.ts';
import { exampleClusters } from '../../../support/definitions/examples.ts';
import { playbookBundle } from '../../../support/definitions/bundles.ts';
import { locally, serverFolder, value } from '../../../support/server/ansible-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'playsmith-artifacts-'));
const directory = serverFolder();
afterAll(() => {
  for (const each of [folder, directory]) rmSync(each, { recursive: true, force: true });
});

const example = exampleClusters.find(({ name }) => name === 'offline');
if (example === undefined) throw new Error('there is no example offline');

/** Artifacts as `artifacts prepare` seals them, and what a definition says of them. */
async function sealed(kubernetes: string) {
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  writeFileSync(join(folder, 'a'), 'a');
  const sha256 = value(
    await seal(folder, { kubernetes, architecture: 'amd64', images: [], origins: new Map() }),
  );
  return { ...example, ...{ offline: { artifacts: folder, sha256 } } } as RenderedBundle['cluster'];
}

async function planned(cluster: RenderedBundle['cluster']): Promise<unknown> {
  const server = await locally(directory);
  const bundle = playbookBundle('---\n');
  const seen = await overview(server, { cluster, bundle, made: 'm' } as RenderedBundle, { cwd: directory });
  await server.close();
  return seen.ok ? 'planned' : seen.failure.message;
}

describe('artifacts on the Ansible server', () => {
  test('of the version and the sum of the definition are fit, and planned with', async () => {
    const cluster = await sealed(example.kubernetes.version);
    const server = await locally(directory);
    expect(value(await examineArtifacts(server, cluster))).toMatchObject([{ state: 'fit' }]);
    await server.close();
    expect(await planned(cluster)).toBe('planned');
  });

  test('of another patch version are told before anything is planned', async () => {
    expect(await planned(await sealed('1.20.2'))).toBe(
      `the artifacts are not those of the definition: Kubernetes 1.20.2 in ${folder}, the definition says ${example.kubernetes.version}; nothing was run`,
    );
  });

  test('with another sum are told, too', async () => {
    const cluster = await sealed(example.kubernetes.version);
    const other = { ...cluster, offline: { ...cluster.offline, sha256: 'a'.repeat(64) } };
    expect(await planned(other)).toMatch(
      /has the sum [0-9a-f]{64}, offline\.sha256 is another; nothing was run$/,
    );
  });

  test('that are not there yet are no reason not to plan', async () => {
    const cluster = await sealed(example.kubernetes.version);
    rmSync(join(folder, 'SHA256SUMS'));
    expect(await planned(cluster)).toBe('planned');
  });
});
