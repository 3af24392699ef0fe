import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { engine } from '../../../generators/engine.ts';
import { mirroredImages } from '../../../generators/phases/openstack-ansible/mirror.ts';
import { osaOf } from '../../generators/openstack-ansible/support.ts';
import { withWorkload } from '../../generators/openstack-ansible/workload-support.ts';
import { imageLayout, startRegistry, type Registry } from '../../support/server/registry.ts';
import { serverFolder } from '../../support/server/ansible-server.ts';
import { templates } from '../../support/definitions/templates.ts';

let root: string;
let publisher: Registry;
let mirror: Registry;
let images: readonly { readonly source: string; readonly target: string }[];

/** Names of publishers lead to the first registry; a real registry is asked in plain HTTP on loopback alone. */
const configuration = (): string =>
  [...new Set(images.map(({ source }) => source.slice(0, source.indexOf('/'))))]
    .map(
      (name) =>
        `[[registry]]\nprefix = "${name}"\nlocation = "${publisher.address}/${name}"\ninsecure = true\n`,
    )
    .concat(`[[registry]]\nlocation = "${mirror.address}"\ninsecure = true\n`)
    .join('\n');

const program = (file: string, ...words: readonly string[]) =>
  promisify(execFile)(file, words, {
    // skopeo reads its registries.conf in the home directory, and no variable names another.
    env: { ...process.env, HOME: root, XDG_CONFIG_HOME: join(root, '.config') },
  });

/** SHA-256 of the manifest; empty: there is none. */
const digestAt = (image: string): Promise<string> =>
  program('skopeo', 'inspect', '--raw', `docker://${image}`).then(
    ({ stdout }) => createHash('sha256').update(stdout).digest('hex'),
    () => '',
  );

/** An image that says `text`, where the name of its publisher leads; a push would not follow that. */
async function publish(image: string, text: string): Promise<void> {
  const layout = imageLayout(join(root, 'layout'), text);
  const to = `docker://${publisher.address}/${image}`;
  await program('skopeo', 'copy', '--quiet', '--dest-tls-verify=false', `oci:${layout}:latest`, to);
}

/** The program as it is rendered. */
async function run(more: object = {}): Promise<{ copied: string[]; problems: string[] }> {
  const asked = {
    directory: join(root, 'mirror'),
    registry: `${mirror.address}/osa`,
    dry: false,
    ...{ kubernetes: [], files: [], charts: [], images },
    ...more,
  };
  const file = join(root, 'mirror.py');
  writeFileSync(file, engine(templates, 'cloud-a')('osa/mirror.py.hbs', {}));
  const { stdout } = await program('python3', file, Buffer.from(JSON.stringify(asked)).toString('base64'));
  return JSON.parse(stdout) as { copied: string[]; problems: string[] };
}

beforeAll(async () => {
  root = serverFolder();
  [publisher, mirror] = await Promise.all([
    startRegistry(join(root, 'one')),
    startRegistry(join(root, 'two')),
  ]);
  const offline = `offline: { registry: ${mirror.address}/osa, files: http://127.0.0.1/, git: http://127.0.0.1/git }\n`;
  // Some of each kind: named by a variable, of Cluster API, of workload clusters with another name in the mirror.
  images = mirroredImages(osaOf(withWorkload() + offline)).filter(({ source }) =>
    /pause:3\.10|cilium\/operator|cluster-api-controller|livenessprobe:v2\.9|calico\/node/.test(source),
  );
  mkdirSync(join(root, '.config/containers'), { recursive: true });
  writeFileSync(join(root, '.config/containers/registries.conf'), configuration());
  for (const { source } of images) await publish(source, source);
});

afterAll(async () => {
  await Promise.all([publisher.stop(), mirror.stop()]);
  rmSync(root, { recursive: true, force: true });
});

test('every image of the list is copied to where it is looked for, with its digest; a second time nothing', async () => {
  expect(images).toHaveLength(5);
  const all = images.map(({ target }) => `image ${target}`);
  expect(await run({ dry: true })).toEqual({ copied: all, problems: [] });
  expect(await digestAt(images[0]?.target ?? '')).toBe('');
  expect(await run()).toEqual({ copied: all, problems: [] });
  for (const { source, target } of images) {
    expect(await digestAt(source)).toMatch(/^[0-9a-f]{64}$/);
    expect(await digestAt(target)).toBe(await digestAt(source));
  }
  expect(await run()).toEqual({ copied: [], problems: [] });
});

test('a tag that moved is copied again, and no other image', async () => {
  const [moved] = images;
  if (moved === undefined) throw new Error('no image');
  await publish(moved.source, 'moved');
  expect(await run()).toEqual({ copied: [`image ${moved.target}`], problems: [] });
  expect(await digestAt(moved.target)).toBe(await digestAt(moved.source));
});

test('an image that is missing is told, and the others are copied', async () => {
  await publish('quay.io/cilium/new:v1', 'new');
  const [missing, there] = ['gone', 'new'].map((name) => ({
    source: `quay.io/cilium/${name}:v1`,
    target: `${mirror.address}/osa/${name}:v1`,
  }));
  expect(await run({ images: [missing, there] })).toEqual({
    copied: [`image ${there?.target}`],
    problems: ['quay.io/cilium/gone:v1: its publisher does not have it, or is not reached'],
  });
  expect(await digestAt(missing?.target ?? '')).toBe('');
});

test('a mirror that is away is told, nothing is half done, and the next run copies it', async () => {
  const [first] = images;
  if (first === undefined) throw new Error('no image');
  await publish(first.source, 'once more');
  await mirror.stop();
  const away = await run({ images: [first] });
  expect(away.copied).toEqual([]);
  expect(away.problems).toEqual([expect.stringMatching(`^${first.target}: .*(?:refused|connect)`)]);
  await mirror.start();
  expect(await run()).toEqual({ copied: [`image ${first.target}`], problems: [] });
  await publisher.stop();
  expect((await run({ images: [first] })).problems).toEqual([
    `${first.source}: its publisher does not have it, or is not reached`,
  ]);
  await publisher.start();
});
