import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { pathOf, entryPoints, type EntryPoint } from '../../../generators/phases/kubespray/entry-points.ts';
import { networkPlugins } from '../../../generators/catalog/kubespray/features.ts';
import { minorOf, releaseOf, releases } from '../../../generators/catalog/kubespray/releases.ts';
import { render } from '../../../generators/render.ts';
import { bundleFolder } from '../../support/definitions/bundle-folder.ts';
import { kubesprayExample } from '../../support/definitions/kubespray.ts';
import {
  given,
  isWanted,
  run,
  trees,
  type Answer,
  type Tree,
} from '../../support/definitions/kubespray-trees.ts';
import { templates } from '../../support/definitions/templates.ts';

/** The example at a tag: with a network plugin and a Kubernetes that this tag has. */
function clusterAt(tag: string, tree: string): Cluster {
  const release = releaseOf(tag) ?? releases[0];
  return {
    ...kubesprayExample,
    kubernetes: { ...kubesprayExample.kubernetes, version: release?.usual ?? '' },
    kubespray: { ...kubesprayExample.kubespray, version: tag, tree },
  };
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

/** ansible-core 2.12 knows no `include` of a play any more, which this playbook of v2.16 has. */
const canRead = ({ tag, ansible }: Tree, entry: EntryPoint): boolean =>
  entry !== 'recover-control-plane' || minorOf(tag) > 16 || /^2\.(9|10|11)\./.test(ansible);

const verifySettings = resolve('test/fixtures/kubespray/verify-settings.yml');

/** Its own checks of an inventory, without a connection. */
function validated(at: Tree, inventory: string, words: readonly string[] = []): Answer {
  const { tag, tree } = at;
  const own = join(tree, 'playbooks/boilerplate.yml');
  if (minorOf(tag) >= 28) return run(at, ['ansible-playbook', '-i', inventory, own, ...words]);
  const checks = minorOf(tag) < 22 ? '0020-verify-settings.yml' : '0040-verify-settings.yml';
  return run(at, [
    ...['ansible-playbook', '--check', '--skip-tags=kubelet', '-i', inventory],
    ...['-e', `checks=${checks}`, verifySettings, ...words],
  ]);
}

/** The last of all checks of v2.25 to v2.27 is about kubespray's own packages, and wants a newer collection than Debian's. */
const ownPackages = 'Verify that the packages list is sorted';

const taskThatFailed = (text: string): string =>
  /TASK \[(?:[\w/]+ : )?([^\]]+)\][^\n]*\n(?:[^T\n][^\n]*\n)*?fatal: /.exec(text)?.[1] ?? '';

/** What is skipped where no tree is given: a tag by its name, so that the report shows it. */
const notGiven: readonly Tree[] = [{ tag: 'v2.28.1', tree: '', programs: '', ansible: '2.16' }];

// The trees are kubespray's own, tens of megabytes from another network: the project carries none.
describe.skipIf(given === '').each(given === '' ? notGiven : trees)(
  'kubespray $tag with ansible-core $ansible',
  (at) => {
    const { tag, tree } = at;
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
        const { status, text } = run(at, [
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

    test.skipIf(given !== '' && !isWanted(at))('is content with this Ansible', () => {
      const path = ['playbooks/ansible_version.yml', 'ansible_version.yml'].find((each) =>
        existsSync(join(tree, each)),
      );
      const { status, text } = run(at, ['ansible-playbook', '-i', inventory, join(tree, path ?? '')]);
      expect(status, text).toBe(0);
    });

    const readable = (Object.keys(calls) as EntryPoint[]).filter(
      (entry) => given === '' || canRead(at, entry),
    );

    test.each(readable)('%s is sound, and for exactly the hosts that are meant', (entry) => {
      const { words, hosts } = calls[entry];
      const playbook = ['-i', inventory, join(folder, `kubespray/${entry}.yml`), ...words];
      expect(run(at, ['ansible-playbook', '--syntax-check', ...playbook])).toMatchObject({ status: 0 });
      const listed = run(at, ['ansible-playbook', '--list-hosts', '--list-tasks', ...playbook]);
      expect(listed.text).toMatch(/^ {6}.*\tTAGS: \[/m);
      const meant = [...hosts].sort();
      expect([...hostsIn(entry, listed.text)].sort(), listed.text).toEqual(meant);
    });

    test('passes its own validation, which says what is wrong with another one', () => {
      const { status, text } = validated(at, inventory);
      if (status !== 0) expect(taskThatFailed(text), text).toBe(ownPackages);
      for (const host of all) expect(text).toMatch(new RegExp(`^${host} +: ok=[1-9]`, 'm'));
      const bad = validated(at, inventory, ['-e', '{"kube_pods_subnet": "10.233.0.0/18"}']);
      expect(bad.status, bad.text).toBe(2);
      expect(taskThatFailed(bad.text)).toMatch(/kube_pods_subnet.*kube_service_addresses/);
    });
  },
);
