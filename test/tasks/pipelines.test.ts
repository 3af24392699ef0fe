import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { registry } from '../../tasks/registry.ts';
import { packageRoot } from '../../tasks/runtime/package.ts';
import { action, gitLabInputs, jobsWith, stepsWith } from '../support/pipelines.ts';
import { fencesOf, pages } from '../support/documents.ts';
import { commandsIn, faultOf } from '../support/commands.ts';

const scripts = (): readonly string[] => [
  ...action.runs.steps.map(({ run }) => run),
  ...Object.values(jobsWith()).flatMap(({ before_script, script }) => [...before_script, ...script]),
];

describe('the GitHub action', () => {
  test('is a composite action that takes no other action along', () => {
    expect(action.runs.using).toBe('composite');
    for (const step of action.runs.steps) {
      expect(Object.keys(step)).not.toContain('uses');
      expect(step.shell).toBe('bash');
    }
  });

  test('puts nothing that somebody else wrote into a script: values come by the environment', () => {
    for (const { run } of action.runs.steps) expect(run).not.toContain('${{');
  });

  test('uses every input, and no other', () => {
    const used = [...JSON.stringify(action.runs).matchAll(/inputs\.([a-z-]+)/g)].map(([, name = '']) => name);
    expect([...new Set(used)].sort()).toEqual(Object.keys(action.inputs).sort());
  });

  test('has outputs of steps that there are', () => {
    for (const { value } of Object.values(action.outputs)) {
      const id = /^\$\{\{ steps\.(\w+)\.outputs\.\w+ \}\}$/.exec(value)?.[1];
      expect(action.runs.steps.map((step) => step.id)).toContain(id);
    }
  });

  test('keeps the key and the token from every step that does not need them', () => {
    const having = (name: string): readonly string[] =>
      action.runs.steps
        .filter(({ env }) => JSON.stringify(env ?? {}).includes(name))
        .map(({ name: step }) => step);
    expect(having('inputs.ssh-key')).toEqual(['Hand the key to an SSH agent']);
    expect(having('inputs.github-token')).toEqual(['Review']);
  });

  test.each(['review', 'apply'])('does one thing: %s', (command) => {
    const names = stepsWith({ command }).map(({ name }) => name);
    expect(names).toHaveLength(2);
  });
});

describe('the file for GitLab', () => {
  test('uses every input, and each has a default that fits', () => {
    for (const [name, { default: value, options }] of Object.entries(gitLabInputs)) {
      expect(JSON.stringify(jobsWith({ [name]: 'as-given' }))).toContain('as-given');
      expect(options ?? [value]).toContain(value);
    }
  });

  test('plans and applies only on the default branch, and applies only when somebody says so, one at a time', () => {
    const { 'playsmith-plan': plan, 'playsmith-apply': apply } = jobsWith();
    const onDefault = '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH';
    expect(plan?.rules).toEqual([{ if: onDefault }]);
    expect(apply?.rules).toEqual([{ if: onDefault, when: 'manual' }]);
    expect(apply).toMatchObject({
      needs: ['playsmith-plan'],
      environment: { name: 'production' },
      resource_group: 'production',
    });
  });

  test('gives the key to no job of a merge request', () => {
    for (const [name, { rules, before_script }] of Object.entries(jobsWith()))
      if (JSON.stringify(rules).includes('merge_request')) expect(before_script, name).toHaveLength(1);
  });
});

test('pipelines call tasks and options that there are', async () => {
  const calls = scripts()
    .flatMap((script) => script.replaceAll('npx --no playsmith ', 'npx --no task ').split('\n\n'))
    .flatMap((script) => commandsIn(script.replaceAll(/ (?:\|\||>) .*|"\$\{names[^"]*"/g, '')));
  expect(calls.length).toBeGreaterThanOrEqual(5);
  for (const [name = '', ...words] of calls) {
    expect(registry.has(name), name).toBe(true);
    const values = words.map((word) =>
      word.replace(/^(--(?:lint|plan|comment))=\$.*/, '$1').replace(/^\$.*/, 'text'),
    );
    expect(await faultOf([name, ...values]), [name, ...values].join(' ')).toBeUndefined();
  }
});

test('the package has both files, for whoever copies them', () => {
  const text = readFileSync(join(packageRoot, 'package.json'), 'utf8');
  expect((JSON.parse(text) as { files: readonly string[] }).files).toEqual(
    expect.arrayContaining(['action.yml', 'pipelines']),
  );
});

describe('the guide', () => {
  const [gitHub, gitLab] = pages
    .filter(({ path }) => path === 'docs/guides/pipelines.md')
    .flatMap(fencesOf)
    .filter(({ language }) => language === 'yaml')
    .map(({ text }) => parse(text) as unknown);

  test('gives the action inputs that it has', () => {
    const { jobs } = gitHub as {
      jobs: Readonly<Record<string, { steps: readonly { uses: string; with?: object }[] }>>;
    };
    const calls = Object.values(jobs).flatMap(({ steps }) =>
      steps.filter(({ uses }) => uses.includes('playsmith')),
    );
    expect(calls).toHaveLength(3);
    for (const call of calls)
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(call.with ?? {})));
  });

  test('gives GitLab inputs that the file has', () => {
    const { include } = gitLab as { include: readonly { file: string; inputs: object }[] };
    for (const { inputs } of include)
      expect(Object.keys(gitLabInputs)).toEqual(expect.arrayContaining(Object.keys(inputs)));
  });
});
