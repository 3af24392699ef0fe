import { batchesOf } from './batches.ts';
import { inventoryOf, matching, type HostsByGroup } from './hosts.ts';
import { flatten, type TaskOutline } from './tasks.ts';
import { selects, tagsOf, type Selection } from './tags.ts';
import { scopePath } from './scope-path.ts';
import type { RenderedFile } from '../rendered-file.ts';
import { readYaml } from '../yaml.ts';

/** What a run will do, known before it starts. */
export interface Outline {
  readonly plays: readonly PlayOutline[];
  /** How many task starts Ansible will announce if no host fails and no play ends early; handlers are not among them. */
  readonly tasks: number;
}

export interface PlayOutline {
  readonly name: string;
  readonly hosts: readonly string[];
  /** How often the tasks are gone through: once, or once for each part of the hosts with `serial`. */
  readonly batches: number;
  readonly tasks: readonly TaskOutline[];
}

/** As on the command line of ansible-playbook; tags may be joined by commas. */
export interface OutlineOptions {
  readonly tags?: readonly string[];
  readonly skipTags?: readonly string[];
  readonly limit?: string;
  /** An inventory in place of the bundle's own scope. */
  readonly scope?: string;
}

/** Reads the playbook as Ansible does, without running it. Throws when the bundle has no such playbook. */
export function outline(
  files: readonly RenderedFile[],
  playbook: string,
  options: OutlineOptions = {},
): Outline {
  const selection = {
    only: tagsOf(options.tags ?? []),
    skip: tagsOf(options.skipTags ?? []),
  };
  const scope = options.scope ?? files.find(({ path }) => path === scopePath)?.text;
  const inventory = inventoryOf(
    textOf(files, 'inventory/hosts.yml'),
    ...(scope === undefined ? [] : [scope]),
  );
  const limited = new Set(matching(inventory, options.limit ?? 'all,localhost'));
  const plays = outlinesOf(playsOf(files, playbook), { inventory, selection, limited }).map(
    ({ serial, ...play }) => ({ ...play, batches: batchesOf(play.hosts.length, serial) }),
  );
  return { plays, tasks: plays.reduce((sum, { batches, tasks }) => sum + batches * tasks.length, 0) };
}

/** Those of the tags that no task of a playbook has, whatever its hosts; words of Ansible's own are left out. */
export function unknownTags(
  files: readonly RenderedFile[],
  playbook: string,
  tags: readonly string[],
): readonly string[] {
  const count = (options: OutlineOptions): number =>
    outline(files, playbook, options).plays.reduce((sum, { tasks }) => sum + tasks.length, 0);
  const isUnknown = (tag: string): boolean =>
    count({ tags: [tag] }) === count({ tags: [noTag] }) && count({ skipTags: [tag] }) === count({});
  return tagsOf(tags).filter((tag) => !ansibleTags.has(tag) && isUnknown(tag));
}

const ansibleTags = new Set(['all', 'always', 'never', 'tagged', 'untagged']);

/** No tag has a space in it. */
const noTag = 'no tag';

interface Play {
  readonly name?: string;
  readonly hosts: string;
  readonly gather_facts?: boolean;
  readonly serial?: unknown;
  readonly tags?: unknown;
  readonly pre_tasks?: unknown;
  readonly tasks?: unknown;
  readonly post_tasks?: unknown;
}

interface Import {
  readonly 'ansible.builtin.import_playbook': string;
  readonly tags?: unknown;
  /** Patterns of hosts, and what else it is told. */
  readonly vars?: Readonly<Record<string, unknown>>;
}

/** The plays of a playbook and of those that it imports, whose tags they inherit, and whose hosts they may be told. */
function playsOf(files: readonly RenderedFile[], playbook: string): readonly Play[] {
  const entries = readYaml(textOf(files, playbook)) as readonly (Play | Import)[];
  return entries.flatMap((entry) => {
    if (!('ansible.builtin.import_playbook' in entry)) return [entry];
    const imported = playsOf(files, entry['ansible.builtin.import_playbook']);
    return imported.map((play) => ({
      ...play,
      hosts: filledIn(play.hosts, entry.vars ?? {}),
      tags: [...tagsOf(entry.tags), ...tagsOf(play.tags)],
    }));
  });
}

/** A pattern of hosts with the variables of its import; what these do not say stays for the import around it. */
const filledIn = (hosts: string, vars: Readonly<Record<string, unknown>>): string =>
  hosts.replace(/\{\{ (\w+) \| default\('\w+'\) \}\}/g, (whole, name: string) => {
    const pattern = vars[name];
    return typeof pattern === 'string' ? pattern : whole;
  });

function textOf(files: readonly RenderedFile[], path: string): string {
  const file = files.find((each) => each.path === path);
  if (file === undefined) throw new Error(`the bundle has no ${path}`);
  return file.text;
}

interface OutlineScope {
  readonly inventory: HostsByGroup;
  readonly selection: Selection;
  readonly limited: ReadonlySet<string>;
}

type UnbatchedPlay = Omit<PlayOutline, 'batches'> & { readonly serial: unknown };

/** In their order, since hosts that a play puts into a group are in it from there on. */
function outlinesOf(plays: readonly Play[], aim: OutlineScope): readonly UnbatchedPlay[] {
  const found: UnbatchedPlay[] = [];
  let { inventory } = aim;
  for (const play of plays) {
    const { hosts, ...rest } = outlineOf(play, inventory, aim.selection);
    const meant = hosts.filter((host) => aim.limited.has(host));
    found.push({ ...rest, hosts: meant });
    for (const group of groupedBy(play))
      inventory = new Map([...inventory, [group, [...new Set([...(inventory.get(group) ?? []), ...meant])]]]);
  }
  return found;
}

/** The groups into which the play puts its hosts, whatever they are; written as plain words. */
const groupedBy = ({ tasks }: Play): readonly string[] =>
  (Array.isArray(tasks) ? (tasks as readonly Grouping[]) : []).flatMap((task) => {
    const key = task.when === undefined ? task['ansible.builtin.group_by']?.key : undefined;
    return key !== undefined && /^\w+$/.test(key) ? [key] : [];
  });

interface Grouping {
  readonly 'ansible.builtin.group_by'?: { readonly key: string };
  readonly when?: unknown;
}

function outlineOf(play: Play, inventory: HostsByGroup, selection: Selection): UnbatchedPlay {
  const facts = play.gather_facts === false ? [] : [{ name: 'Gathering Facts', tags: ['always'] }];
  const written = [play.pre_tasks, play.tasks, play.post_tasks].flatMap((list) =>
    flatten(list, tagsOf(play.tags)),
  );
  return {
    name: play.name ?? play.hosts,
    hosts: matching(inventory, play.hosts),
    tasks: [...facts, ...written].filter(({ tags }) => selects(selection, tags)),
    serial: play.serial,
  };
}
