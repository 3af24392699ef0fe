import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { sourceOf } from '../../../generators/phases/kubespray/kubespray-cluster.ts';
import { isKubespray } from '../../../generators/phases/kubespray/phase.ts';
import {
  releaseOf,
  type VersionRange,
  type KubesprayRelease,
} from '../../../generators/catalog/kubespray/releases.ts';
import { ok, type Result } from '../../../generators/result.ts';
import type { Failure } from '../../runtime/failures.ts';
import { agentFolder } from '../../runtime/package.ts';
import type { Server } from '../../runtime/server.ts';
import { compareVersions, type CheckResult } from './examine.ts';

/** Looks at kubespray on the Ansible server: its checkout, the files of it, and the Ansible that the tag wants. None without it. */
export async function examineKubespray(
  server: Server,
  cluster: Cluster,
): Promise<Result<readonly CheckResult[], Failure>> {
  const { version, tree, venv, python } = cluster.kubespray;
  const release = releaseOf(version);
  if (!isKubespray(cluster) || release === undefined) return ok([]);
  const wanted = JSON.stringify(sourceOf(cluster));
  const told = await server.run(
    { argv: ['sh', '-s', '--', tree, venv, python, wanted] },
    { stdin: program() },
  );
  if (!told.ok) return told;
  const lines = told.value.stdout.split('\n').map((line) => {
    const at = line.indexOf('=');
    return { name: line.slice(0, at), value: line.slice(at + 1) };
  });
  const all = (name: string): readonly string[] =>
    lines.filter((line) => line.name === name && line.value !== '').map(({ value }) => value);
  return ok(kubesprayFindings(cluster, release, all));
}

/** It ends with a program for Python, which compares the files of the checkout as `run.py` of a bundle does. */
const program = (): string =>
  [
    readFileSync(join(agentFolder, 'examine-kubespray.sh'), 'utf8'),
    readFileSync(join(agentFolder, 'playsmith/checkout.py'), 'utf8'),
    'import json, sys',
    'try:',
    '    verified(sys.argv[1], json.loads(sys.argv[2]))',
    '    print("files=verified")',
    'except Differs as differs:',
    '    for line in [differs, *differs.lines]:',
    '        print("differs=%s" % line)',
    'PYTHON',
    '',
  ].join('\n');

/** What was seen there: each name of a fact with its values. */
export type FactValues = (name: string) => readonly string[];

/** The judgement of what was seen. */
export function kubesprayFindings(
  { kubespray }: Cluster,
  release: KubesprayRelease,
  seen: FactValues,
): readonly CheckResult[] {
  const [tree] = seen('tree');
  const makes = kubespray.source.kind !== 'path';
  if (tree === undefined)
    return [
      {
        what: 'kubespray',
        state: 'unfit',
        seen: `no checkout at ${kubespray.tree}`,
        remedy: makes
          ? 'npx task bootstrap makes it'
          : `put a checkout of ${kubespray.version} there, or give installer.kubespray.git`,
      },
    ];
  return [
    filesOf(kubespray.version, tree, seen),
    ...seen('writable').map(anybodys),
    ...programs(kubespray.python, release, seen),
  ];
}

function filesOf(version: string, tree: string, seen: FactValues): CheckResult {
  const what = 'kubespray';
  const differs = seen('differs');
  const missing = seen('missing');
  if (missing.length > 0)
    return {
      what,
      state: 'unfit',
      seen: `${tree} has no ${missing.join(', ')}`,
      remedy: 'a whole checkout there',
    };
  if (differs.length > 0)
    return {
      what,
      state: 'unfit',
      seen: `${tree} is not ${version}: ${differs.join(', ')}`,
      remedy: `move it away, and bring it as it should be; changes of your own need installer.kubespray.commit`,
    };
  return seen('files').length > 0
    ? { what, state: 'fit', seen: `${version} at ${tree}`, remedy: '' }
    : {
        what,
        state: 'unsure',
        seen: `${tree} could not be compared`,
        remedy: `make sure that it is ${version}`,
      };
}

/** Ansible reads no ansible.cfg that everybody may write. */
const anybodys = (path: string): CheckResult => ({
  what: 'kubespray',
  state: 'unfit',
  seen: `everybody may write ${path}`,
  remedy: `Ansible ignores its ansible.cfg then: chmod o-w ${path}`,
});

function programs(
  base: string,
  { tag, ansible, python }: KubesprayRelease,
  seen: FactValues,
): readonly CheckResult[] {
  const what = `Ansible of ${tag}`;
  const [core] = seen('ansible');
  if (core === undefined) {
    const [own] = seen('base');
    return [
      { what, state: 'unfit', seen: 'missing', remedy: 'npx task bootstrap installs it' },
      within(`Python for ${tag}`, own, { range: python, last: true, name: base }),
    ];
  }
  return [
    within(what, core, { range: ansible, last: false, name: 'ansible-core' }),
    within(`Python of ${tag}`, seen('python')[0], { range: python, last: true, name: base }),
    ...seen('lacking').map((name): CheckResult => ({
      what: `${name} of ${tag}`,
      state: 'unfit',
      seen: 'missing',
      remedy: 'npx task bootstrap installs it',
    })),
  ];
}

interface RangeDemand {
  readonly range: VersionRange;
  /** Whether every patch of the last one is within, too. */
  readonly last: boolean;
  readonly name: string;
}

function within(
  what: string,
  version: string | undefined,
  { range: [from, to], last, name }: RangeDemand,
): CheckResult {
  const right = last ? `${from} to ${to}` : `${from} or later, but older than ${to}`;
  if (version === undefined)
    return {
      what,
      state: 'unfit',
      seen: `no ${name}`,
      remedy: `${right}: install it, and name it as installer.kubespray.python`,
    };
  const short = last ? version.split('.').slice(0, 2).join('.') : version;
  const isWithin =
    compareVersions(short, from) >= 0 &&
    (last ? compareVersions(short, to) <= 0 : compareVersions(short, to) < 0);
  return isWithin
    ? { what, state: 'fit', seen: version, remedy: '' }
    : {
        what,
        state: 'unfit',
        seen: version,
        remedy: last
          ? `${right}: name another one as installer.kubespray.python, then npx task bootstrap`
          : `${right}; npx task bootstrap installs it`,
      };
}
