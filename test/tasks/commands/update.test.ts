import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { render } from '../../../tasks/commands/review/render.ts';
import { update } from '../../../tasks/commands/define/update.ts';
import type { Event } from '../../../tasks/runtime/events.ts';
import type { Outcome } from '../../../tasks/task.ts';
import { definitionOf } from '../../bench/definition.ts';
import { failure, value } from '../../support/server/ansible-server.ts';
import { startPublishers, type Publishers } from '../../support/server/publishers.ts';
import { quietWorld } from '../../support/world.ts';

let here: string;
let publishers: Publishers;
let printed: string[];
let reported: Event[];
beforeEach(async () => {
  here = mkdtempSync(join(tmpdir(), 'playsmith-update-'));
  publishers = await startPublishers();
  [printed, reported] = [[], []];
});
afterEach(() => {
  publishers.close();
  rmSync(here, { recursive: true });
});

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const [oldSum, newSum, runcSum, helmSum, chartSum] = ['old', 'new', 'runc', 'helm', 'chart'].map(sumOf);
const manifest = 'kind: Deployment # calicó\n';
const key = 'DE15B14486CD377B9E876E1A234654DA9A296436';

/** A definition that names everything with a checksum, and says things on the way. */
const definition = (installer = '{ version: 1.36.3 } # one behind'): string =>
  definitionOf(3)
    .replace(/^installer: .*$/m, `installer:\n  kubeadm: ${installer}`)
    .replace(
      /^network:\n/m,
      `containerd:
  archive:
    # from the project itself
    version: 2.3.5   # why not newer: nobody asked
    sha256: ${oldSum ?? ''}
    runc: { version: '1.5.1', sha256: ${runcSum ?? ''} }
network:
  plugin:
    cilium:
      version: 1.20.1
      sha256: ${oldSum ?? ''} # the chart
      helm:
        version: 3.19.2
        sha256: ${helmSum ?? ''}
`,
    );

const releases = (...tags: readonly string[]): string =>
  JSON.stringify([
    { tag_name: 'v9.9.9-rc.1', prerelease: true },
    { tag_name: 'v2.3.99', draft: true },
    { tag_name: 'api/v1.9.0' },
    ...tags.map((tag) => ({ tag_name: tag, draft: false, prerelease: false })),
  ]);

function publish(): void {
  const gitHub = (repository: string, ...tags: readonly string[]): void => {
    publishers.file(`api.github.com/repos/${repository}/releases?per_page=100`, releases(...tags));
  };
  const sum = (address: string, ...lines: readonly string[]): void => {
    publishers.file(address, lines.map((line) => `${line}\n`).join(''));
  };
  publishers.file('dl.k8s.io/release/stable-1.36.txt', 'v1.36.6');
  publishers.file('dl.k8s.io/release/stable-1.37.txt', 'v1.37.3');
  gitHub('containerd/containerd', 'v2.4.2', 'v2.3.8', 'v2.3.10', 'v2.2.9');
  const archive = (version: string): string => `containerd-${version}-linux-amd64.tar.gz`;
  for (const version of ['2.3.5', '2.3.10'])
    sum(
      `github.com/containerd/containerd/releases/download/v${version}/${archive(version)}.sha256sum`,
      `${(version === '2.3.5' ? oldSum : newSum) ?? ''}  ${archive(version)}`,
    );
  gitHub('opencontainers/runc', 'v1.5.1', 'v1.4.9');
  sum(
    'github.com/opencontainers/runc/releases/download/v1.5.1/runc.sha256sum',
    `${oldSum ?? ''}  runc.arm64`,
    `${runcSum ?? ''} *runc.amd64`,
  );
  const chart = (version: string, digest = ''): string =>
    `  - apiVersion: v2\n    appVersion: ${version}\n    digest: ${digest}\n    maintainers:\n      - name: somebody\n        version: 9.9.9\n    name: cilium\n    version: ${version}\n`;
  const entries = [chart('1.21.0-pre.1', oldSum), chart('1.20.4', chartSum), chart('1.20.1', oldSum)];
  publishers.file('helm.cilium.io/index.yaml', `apiVersion: v1\nentries:\n  cilium:\n${entries.join('')}`);
  gitHub('helm/helm', 'v4.0.1', 'v3.19.2');
  sum(
    'get.helm.sh/helm-v3.19.2-linux-amd64.tar.gz.sha256sum',
    `${helmSum ?? ''}  helm-v3.19.2-linux-amd64.tar.gz`,
  );
  gitHub('projectcalico/calico', 'v3.32.3');
  publishers.file('raw.githubusercontent.com/projectcalico/calico/v3.32.3/manifests/calico.yaml', manifest);
}

const world = (json = false): ReturnType<typeof quietWorld> => ({
  ...quietWorld(here),
  json,
  print: (text) => printed.push(text),
  report: (event) => reported.push(event),
});
const place = { file: 'cluster.yml', output: 'playbooks' };
const run = (text: string, more: object = {}, json = false): Promise<Outcome> => {
  writeFileSync(join(here, 'cluster.yml'), text);
  const nothing = { only: [], minor: false, 'dry-run': false, yes: true, mirror: publishers.url };
  return update.run({ ...place, ...nothing, ...more } as never, world(json));
};
const written = (): string => readFileSync(join(here, 'cluster.yml'), 'utf8');

describe('update', () => {
  test('brings the newest patches with their checksums, keeps every comment, and renders', async () => {
    publish();
    value(await run(definition()));
    expect(written()).toBe(
      definition('{ version: 1.36.6 } # one behind')
        .replace('version: 2.3.5   #', 'version: 2.3.10   #')
        .replace(`sha256: ${oldSum ?? ''}\n`, `sha256: ${newSum ?? ''}\n`)
        .replace('version: 1.20.1', 'version: 1.20.4')
        .replace(`sha256: ${oldSum ?? ''} # the chart`, `sha256: ${chartSum ?? ''} # the chart`),
    );
    expect(printed[0]).toMatch(/^kubernetes +1\.36\.3 +1\.36\.6$/m);
    expect(printed[0]).toMatch(/^runc +1\.5\.1 +1\.5\.1$/m);
    expect(printed[1]).toContain('-    version: 2.3.5   # why not newer: nobody asked');
    expect(printed[1]).toContain('kubernetes: version 1.36.3 becomes 1.36.6');
    value(await render.run({ ...place, check: true } as never, world()));
  });

  test('goes one minor version further only when that is asked for, and leaves the key of the packages alone', async () => {
    publish();
    value(
      await run(definition(`{ version: 1.36.3, repositoryKey: ${key} }`), {
        minor: true,
        only: ['kubernetes'],
      }),
    );
    expect(written()).toBe(definition(`{ version: 1.37.3, repositoryKey: ${key} }`));
  });

  test('reckons the checksum of a manifest byte by byte, and changes the version in an address', async () => {
    publish();
    const calico = (version: string, sum: string): string =>
      definitionOf(3).replace(
        /^network:\n/m,
        `network:\n  plugin: { calico: { version: ${version}, url: "https://mirror.example.org/${version}/calico.yaml", sha256: ${sum} } }\n`,
      );
    value(await run(calico('3.32.1', oldSum ?? ''), { only: ['calico'] }));
    expect(written()).toBe(calico('3.32.3', sumOf(manifest)));
  });

  test('writes nothing with --dry-run, nor when nobody agrees, nor when nothing is newer', async () => {
    publish();
    value(await run(definition(), { 'dry-run': true, yes: false }));
    expect(failure(await run(definition(), { yes: false })).message).toContain('Write this to cluster.yml');
    expect(written()).toBe(definition());
    value(await run(definition(), { only: ['runc', 'helm'] }));
    expect(written()).toBe(definition());
    expect(reported.at(-1)).toMatchObject({
      type: 'note',
      text: expect.stringContaining('nothing') as string,
    });
  });

  test('tells programs in one line what there is', async () => {
    publish();
    value(await run(definition(), { 'dry-run': true }, true));
    expect(printed.map((line) => JSON.parse(line) as object)).toEqual([
      {
        type: 'updates',
        changes: [
          { name: 'kubernetes', from: '1.36.3', to: '1.36.6' },
          { name: 'containerd', from: '2.3.5', to: '2.3.10' },
          { name: 'runc', from: '1.5.1', to: '1.5.1' },
          { name: 'cilium', from: '1.20.1', to: '1.20.4' },
          { name: 'helm', from: '3.19.2', to: '3.19.2' },
        ],
      },
    ]);
  });
});

describe('update writes nothing, and says of each fault what it is', () => {
  test('a checksum in the definition that is not the published one', async () => {
    publish();
    const text = definition().replace(helmSum ?? '', newSum ?? '');
    expect(failure(await run(text))).toMatchObject({
      kind: 'bundle',
      message: 'the definition has another checksum of helm 3.19.2 than its project publishes',
      evidence: expect.stringContaining(helmSum ?? '') as string,
    });
    expect(written()).toBe(text);
  });

  test('a Kubernetes that this version does not know', async () => {
    publish();
    const fault = failure(
      await run(definition('{ version: 1.37.2 }'), { minor: true, only: ['kubernetes'] }),
    );
    expect(fault).toMatchObject({ kind: 'refused' });
    expect(fault.message).toContain('Kubernetes 1.38 is not known here');
  });

  test('lists that are not there, do not say what they should, or lack the checksum: one failure each', async () => {
    publish();
    publishers.file('dl.k8s.io/release/stable-1.36.txt', '<html>welcome</html>');
    publishers.file(
      'github.com/containerd/containerd/releases/download/v2.3.10/containerd-2.3.10-linux-amd64.tar.gz.sha256sum',
      'no sum  here\n',
    );
    publishers.file('helm.cilium.io/index.yaml', 'entries: {}\n');
    const first = failure(await run(definition()));
    const others = reported.flatMap((event) => (event.type === 'failed' ? [event.failure.message] : []));
    expect([first.message, ...others]).toEqual([
      expect.stringMatching(/stable-1\.36\.txt: a page for people came in its place/),
      expect.stringMatching(/sha256sum: it has no checksum of version 2\.3\.10$/),
      expect.stringMatching(/index\.yaml: it lists no release$/),
    ]);
    expect([first, ...reported].filter((each) => JSON.stringify(each).includes('Check the network'))).toEqual(
      [first],
    );
    expect(written()).toBe(definition());
  });

  test('a definition with problems', async () => {
    expect(failure(await run('name: x\n')).kind).toBe('definition');
    expect(publishers.requests).toEqual([]);
  });

  test('an edit that was saved while somebody was asked', async () => {
    publish();
    writeFileSync(join(here, 'cluster.yml'), definition());
    const saving = {
      ...world(),
      isTerminal: true,
      ask: () => {
        writeFileSync(join(here, 'cluster.yml'), `${definition()}# saved\n`);
        return Promise.resolve('yes');
      },
    };
    const wish = { only: [], minor: false, 'dry-run': false, yes: false, mirror: publishers.url };
    const refused = failure(await update.run({ ...place, ...wish } as never, saving));
    expect(refused).toMatchObject({ kind: 'file', next: 'run the same task again' });
    expect(refused.message).toContain('was changed while this task was at work; nothing was written');
    expect(written()).toBe(`${definition()}# saved\n`);
  });

  test('an address that names no version', async () => {
    publish();
    const text = definition().replace(
      '    sha256',
      '    url: https://mirror.example.org/containerd.tar.gz\n    sha256',
    );
    expect(failure(await run(text, { only: ['containerd'] })).message).toContain('names no version');
  });

  test('a newer version of what lies beside the definition', async () => {
    publish();
    writeFileSync(
      join(here, 'calico.yaml'),
      'apiVersion: apps/v1\nkind: DaemonSet\nmetadata: { name: calico-node, namespace: kube-system }\nspec: { image: quay.io/calico/node:v3.32.2 }\n',
    );
    const text = definition().replace(
      / {2}plugin:\n(?: {4}.*\n)+/,
      '  plugin: { calico: { version: 3.32.2, manifest: calico.yaml } }\n',
    );
    expect(failure(await run(text, { only: ['calico'] })).message).toContain(
      'calico 3.32.3 is there, and calico.yaml beside the definition is of 3.32.2: bring that of 3.32.3',
    );
    expect(written()).toBe(text);
  });
});
