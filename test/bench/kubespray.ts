import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cluster } from '../../generators/cluster/cluster.ts';
import { load } from '../../generators/load.ts';
import { showProblems } from '../../generators/source/problems.ts';
import { kubesprayInventory } from '../../generators/phases/kubespray/inventory.ts';
import { kubesprayVariables } from '../../generators/phases/kubespray/variables.ts';
import type { RenderedFile } from '../../generators/rendered-file.ts';
import { bundleFolder } from '../support/definitions/bundle-folder.ts';
import { definitionOf } from './definition.ts';
import { atMost, inWords, seen, type Figure } from './figure.ts';
import { interleaved, timed, type Work } from './interleaved.ts';
import { counted, type Bench } from './options.ts';

/**
 * A cluster → kubespray's inventory with its variables in memory, and the same from the text of a definition, against
 * Ansible reading it, and against the inventory builder that kubespray removed, where `PLAYSMITH_KUBESPRAY` has a
 * checkout that still has it (v2.26.1).
 */
export async function kubespray({
  repetitions,
  say,
  share,
}: Pick<Bench, 'repetitions' | 'say' | 'share'>): Promise<readonly Figure[]> {
  const sizes = [100, 1000, 10_000].map((count) => counted(count, { share }));
  const [hundred = 0, thousand = 0, tenThousand = 0] = sizes;
  say(`kubespray: inventories of 10, ${sizes.map(inWords).join(', ')} hosts`);
  const of = (hosts: number): Cluster => clusterOf(definition(hosts));
  const rendering = (hosts: number): Work => {
    const cluster = of(hosts);
    const render = (): Promise<unknown> => Promise.resolve(inventory(cluster));
    return timed(render, async () => {
      for (let times = 0; times < warmUp; times += 1) await render();
    });
  };
  const text = definition(thousand);
  const folder = bundleFolder(inventory(of(thousand)));
  const built = builderFor(folder, thousand);
  const times = await interleaved<string>(
    {
      ...{ ten: rendering(10), hundred: rendering(hundred), thousand: rendering(thousand) },
      tenThousand: rendering(tenThousand),
      read: timed(() => Promise.resolve(inventory(clusterOf(text)))),
      ansible: timed(() => Promise.resolve(read(join(folder, 'kubespray/hosts.yml')))),
      ...(built ? { builder: built } : {}),
    },
    repetitions,
  );
  rmSync(folder, { recursive: true, force: true });
  const took = (name: string): number => times[name] ?? Number.NaN;
  return [
    seen('kubespray inventory of 10 hosts', took('ten'), 's'),
    seen(`kubespray inventory of ${inWords(hundred)} hosts`, took('hundred'), 's'),
    seen(`kubespray inventory of ${inWords(thousand)} hosts`, took('thousand'), 's'),
    seen(`kubespray inventory of ${inWords(tenThousand)} hosts`, took('tenThousand'), 's'),
    seen(`kubespray inventory of ${inWords(thousand)} hosts, with reading the definition`, took('read'), 's'),
    seen(`ansible-inventory --list of ${inWords(thousand)} hosts`, took('ansible'), 's'),
    ...against('ansible-inventory', took, 'ansible'),
    ...(built
      ? [
          seen(`inventory builder of ${inWords(thousand)} hosts`, took('builder'), 's'),
          ...against('inventory builder', took, 'builder'),
        ]
      : []),
  ];
}

const against = (title: string, took: (name: string) => number, name: string): readonly Figure[] => [
  atMost(`kubespray inventory : ${title}`, took('thousand') / took(name), tenth),
  seen(`the same with reading the definition : ${title}`, took('read') / took(name), 'ratio'),
];

/** Renderings before one that is measured, so that Node.js has compiled what it is about. */
const warmUp = 10;

const tenth = { unit: 'ratio', goal: 0.1 };

const definition = (hosts: number): string =>
  definitionOf(hosts).replace(
    /^installer:.*$/m,
    'installer: { kubespray: { version: v2.26.1, path: /opt/kubespray } }',
  );

function clusterOf(text: string): Cluster {
  const loaded = load(text, 'cluster.yml');
  if (!loaded.ok) throw new Error(showProblems(loaded.failure, text));
  return loaded.value.cluster;
}

const inventory = (cluster: Cluster): readonly RenderedFile[] => [
  ...kubesprayInventory(cluster),
  ...kubesprayVariables(cluster),
];

const read = (file: string): Buffer =>
  execFileSync('ansible-inventory', ['-i', file, '--list'], {
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });

/** As its documents call it, with an address for each host. */
function builderFor(folder: string, hosts: number): Work | undefined {
  const program = builder(process.env['PLAYSMITH_KUBESPRAY'] ?? '');
  if (program === undefined) return undefined;
  const addresses = Array.from(
    { length: hosts },
    (_, index) => `172.16.${Math.floor(index / 200)}.${(index % 200) + 1}`,
  );
  const out = join(mkdtempSync(join(tmpdir(), 'builder-')), 'hosts.yml');
  return timed(() =>
    Promise.resolve(
      execFileSync('/usr/bin/python3', [program, ...addresses], {
        env: { ...process.env, CONFIG_FILE: out, DEBUG: 'False' },
        cwd: folder,
        stdio: 'ignore',
      }),
    ),
  );
}

/** The last tag that has it, of a folder with checkouts or of a git repository. */
function builder(given: string): string | undefined {
  const path = 'contrib/inventory_builder/inventory.py';
  const beside = join(given, 'v2.26.1', path);
  if (given === '' || existsSync(beside)) return given === '' ? undefined : beside;
  if (!existsSync(join(given, 'HEAD')) && !existsSync(join(given, '.git'))) return undefined;
  const file = join(mkdtempSync(join(tmpdir(), 'builder-')), 'inventory.py');
  writeFileSync(file, execFileSync('git', ['-C', given, 'show', `v2.26.1:${path}`]));
  return file;
}
