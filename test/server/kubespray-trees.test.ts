import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Cluster } from '../../generators/cluster.ts';
import { pathOf, entryPoints, type EntryPoint } from '../../generators/kubespray/entry-points.ts';
import { networkPlugins } from '../../generators/kubespray/features.ts';
import { releaseOf, releases } from '../../generators/kubespray/releases.ts';
import { render } from '../../generators/render.ts';
import { bundleFolder } from '../support/bundle-folder.ts';
import { kubesprayExample } from '../support/kubespray.ts';
import { templates } from '../support/templates.ts';

/**
 * Real tags of kubespray: `PLAYSMITH_KUBESPRAY` is a folder with checkouts named as their tags, or a git repository of
 * kubespray, of which some tags are taken. Beside a checkout `v2.28.1` the Ansible that it wants may lie in `v2.28.1-venv`.
 */
const given = process.env['PLAYSMITH_KUBESPRAY'] ?? '';

/** Names of groups, places of playbooks and forms of variables change between them. */
const chosen = ['v2.15.1', 'v2.16.0', 'v2.20.0', 'v2.22.2', 'v2.23.3', 'v2.26.1', 'v2.28.1', 'v2.31.0'];

const trees: readonly (readonly [tag: string, tree: string])[] = given === '' ? [] : treesOf(given);

function treesOf(folder: string): readonly (readonly [string, string])[] {
  if (!existsSync(join(folder, 'HEAD')) && !existsSync(join(folder, '.git')))
    return readdirSync(folder)
      .filter((name) => /^v2\.\d+\.\d+$/.test(name))
      .map((name) => [name, join(folder, name)]);
  return chosen.map((tag) => {
    const tree = mkdtempSync(join(tmpdir(), `kubespray-${tag}-`));
    execFileSync('sh', ['-c', 'git -C "$1" archive "$2" | tar -x -C "$3"', 'sh', folder, tag, tree]);
    return [tag, tree];
  });
}

/** The example at a tag: with a network plugin and a Kubernetes that this tag has. */
function clusterAt(tag: string, tree: string): Cluster {
  const release = releaseOf(tag) ?? releases[0];
  return {
    ...kubesprayExample,
    kubernetes: { ...kubesprayExample.kubernetes, version: release?.usual ?? '' },
    kubespray: { ...kubesprayExample.kubespray, version: tag, tree },
  };
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Runs the Ansible of the tag, as `run.py` does: in the checkout, with its settings. */
function run(tag: string, tree: string, words: readonly string[]): Answer {
  const [program = '', ...rest] = words;
  const own = join(given, `${tag}-venv`, 'bin', program);
  const file = existsSync(own) ? own : program;
  const env = {
    PATH: process.env['PATH'],
    HOME: tmpdir(),
    LANG: 'C.UTF-8',
    ANSIBLE_CONFIG: join(tree, 'ansible.cfg'),
    ANSIBLE_ROLES_PATH: join(tree, 'roles'),
    ANSIBLE_LIBRARY: join(tree, 'library'),
    ANSIBLE_CACHE_PLUGIN_CONNECTION: mkdtempSync(join(tmpdir(), 'facts-')),
    ANSIBLE_NOCOLOR: '1',
    ANSIBLE_DEPRECATION_WARNINGS: '0',
  };
  try {
    const text = execFileSync(file, rest, { cwd: tree, env, encoding: 'utf8', stdio: 'pipe' });
    return { status: 0, text };
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    return { status, text: `${stdout}\n${stderr}` };
  }
}

/** The hosts of each play that `--list-hosts` shows. */
const playsIn = (text: string): readonly (readonly string[])[] =>
  text
    .split(/^ {2}play #/m)
    .slice(1)
    .map((play) => [...play.matchAll(/^ {6}([a-z][\w.-]*)$/gm)].map(([, host = '']) => host));

/** All of them. To take a node out, facts of all are gathered and the first control plane is asked: no more than that. */
const hostsIn = (entry: EntryPoint, text: string): readonly string[] => {
  const isBeside = (hosts: readonly string[]): boolean =>
    entry === 'remove-node' && (hosts.length === all.length || hosts.join() === 'master01');
  const hosts = playsIn(text).filter((play) => !isBeside(play));
  return [...new Set(hosts.flat())].filter((host) => host !== 'localhost');
};

const all = ['master01', 'master02', 'master03', 'worker01', 'worker02'];

/** What the operations give it, and whom it may touch then. */
const calls: Readonly<Record<EntryPoint, { words: readonly string[]; hosts: readonly string[] }>> = {
  cluster: { words: [], hosts: all },
  facts: { words: [], hosts: all },
  scale: { words: ['--limit', 'worker02'], hosts: ['worker02'] },
  'remove-node': {
    words: ['-e', '{"node": "worker02", "skip_confirmation": true, "delete_nodes_confirmation": "yes"}'],
    hosts: ['worker02'],
  },
  'recover-control-plane': {
    words: ['--limit', 'master01,master02,master03'],
    hosts: ['master01', 'master02', 'master03'],
  },
  'upgrade-cluster': { words: ['-e', '{"serial": 1}'], hosts: all },
  reset: { words: ['-e', '{"reset_confirmation": "yes"}'], hosts: all },
};

/** What is skipped where no tree is given: a tag by its name, so that the report shows it. */
const notGiven: typeof trees = [['v2.28.1', '']];

// The trees are kubespray's own, tens of megabytes from another network: the project carries none.
describe.skipIf(given === '').each(given === '' ? notGiven : trees)('kubespray %s', (tag, tree) => {
  const cluster = clusterAt(tag, tree);
  let folder: string;
  let inventory: string;

  beforeAll(() => {
    folder = bundleFolder(render(cluster, templates));
    inventory = join(folder, 'kubespray/hosts.yml');
  });

  test('is a tag whose playbooks lie where they are called', () => {
    for (const entry of Object.keys(entryPoints) as EntryPoint[])
      expect(existsSync(join(tree, pathOf(entry, tag))), entry).toBe(true);
    expect(networkPlugins[cluster.kubespray.networkPlugin]?.(releaseOf(tag)?.minor ?? 0)).toBe(true);
  });

  test('reads the same from both forms of the inventory', () => {
    const list = (file: string): unknown => {
      const { status, text } = run(tag, tree, [
        'ansible-inventory',
        '-i',
        join(folder, 'kubespray', file),
        '--list',
      ]);
      expect(status, text).toBe(0);
      // Only the list of groups below `all` depends on the form.
      return { ...(JSON.parse(text.slice(text.indexOf('{'))) as object), all: undefined };
    };
    const yaml = list('hosts.yml');
    expect(list('hosts.ini')).toEqual(yaml);
    expect(yaml).toMatchObject({
      _meta: { hostvars: { master01: { etcd_member_name: 'etcd-master01', ansible_port: 22 } } },
      etcd: { hosts: ['master01', 'master02', 'master03'] },
    });
  });

  test.each(Object.keys(calls) as EntryPoint[])(
    '%s is sound, and for exactly the hosts that are meant',
    (entry) => {
      const { words, hosts } = calls[entry];
      const playbook = ['-i', inventory, join(folder, `kubespray/${entry}.yml`), ...words];
      for (const look of ['--syntax-check', '--list-tasks'])
        expect(run(tag, tree, ['ansible-playbook', look, ...playbook])).toMatchObject({ status: 0 });
      const listed = run(tag, tree, ['ansible-playbook', '--list-hosts', ...playbook]);
      const found = hostsIn(entry, listed.text);
      expect([...found].sort(), listed.text).toEqual([...hosts].sort());
    },
  );

  // Before, kubespray had no validation without connections.
  test.skipIf(
    !existsSync(join(tree, 'playbooks/boilerplate.yml')) ||
      !existsSync(join(tree, 'roles/validate_inventory')),
  )('passes its own validation', () => {
    const { status, text } = run(tag, tree, [
      'ansible-playbook',
      ...['-i', inventory, join(tree, 'playbooks/boilerplate.yml')],
    ]);
    expect(status, text).toBe(0);
    for (const host of all) expect(text).toMatch(new RegExp(`^${host} +: ok=[1-9]`, 'm'));
  });
});
