import { describe, expect, test } from 'vitest';
import { waiting, type JournalStep, type StepState } from '../../../generators/plan/journal.ts';
import { offersFor, phasesLeft, retriedSteps, withConfirmation } from '../../../generators/plan/resume.ts';
import { step, type Step } from '../../../generators/plan/step.ts';
import { outline } from '../../../generators/outline/outline.ts';
import { playbooks } from '../../../generators/playbooks.ts';
import { render } from '../../../generators/render.ts';
import type { RenderedFile } from '../../../generators/rendered-file.ts';
import { kubeadmCluster } from '../../support/definitions/clusters.ts';
import { stored } from '../../support/definitions/storage.ts';
import { templates } from '../../support/definitions/templates.ts';

const file = (path: string, text: string): RenderedFile => ({ path, text: `---\n${text}`, mode: '0644' });
const plays = (...names: string[]): string => names.map((name) => `- name: ${name}\n  hosts: all\n`).join('');
const imports = (...names: string[]): string =>
  names.map((name) => `- name: Import ${name}\n  ansible.builtin.import_playbook: ${name}.yml\n`).join('');
const files = [
  file('instantiate.yml', imports('host', 'haproxy', 'workers', 'verify')),
  file('node-prerequisites.yml', plays('Reach every host', 'Prepare the hosts')),
  file('haproxy.yml', plays('Reach every host', 'Balance the API')),
  file('workers.yml', plays('Reach every host', 'Join the workers', 'Mark the nodes')),
  file('verify.yml', plays('Reach every host', 'Look at the cluster')),
];
const journalStep = (of: Step, state: StepState, run = ''): JournalStep => ({
  ...waiting([of], { before: 'old', after: 'new' })[0],
  ...of,
  state,
  run,
  bundle: of.from === 'applied' ? 'old' : 'new',
});
const nobody = { hosts: [], plays: [] };
const names = (steps: readonly Step[]): string[] =>
  steps.map(({ operation, targets }) => [operation, ...targets].join(' '));

describe('a step that stopped and destroys something', () => {
  const confirmed = (operation: string): Pick<Step, 'danger' | 'confirm'> => {
    const { danger, confirm } = withConfirmation(step(operation, []), stored());
    return { danger, confirm };
  };

  test.each(['restore', 'etcd-restore', 'heal-cluster', 'reset', 'terminate', 'heal-storage'])(
    'wants the name of the cluster once more: %s',
    (operation) => {
      expect(confirmed(operation)).toEqual({ danger: 'reset', confirm: stored().name });
    },
  );

  test('wants none for what destroys nothing, or says itself what confirms it', () => {
    expect(confirmed('reconfigure')).toEqual({ danger: 'none', confirm: '' });
    const leaving = step('scale-in', [], { targets: ['w1'], danger: 'remove', confirm: 'w1' });
    expect(withConfirmation(leaving, stored())).toBe(leaving);
  });

  test.each(['heal-storage', 'terminate'])(
    'is not cut into phases that do something else by themselves: %s',
    (operation) => {
      const bundle = render(stored(), templates);
      const plays = outline(bundle, `${operation}.yml`).plays.map(({ name }) => name);
      const failed = journalStep(step(operation, []), 'failed');
      for (let count = 1; count <= plays.length; count += 1) {
        const stopped = { hosts: [], plays: plays.slice(0, count) };
        expect(names(retriedSteps(failed, stopped, bundle))).toEqual([operation]);
      }
    },
  );
});

describe('a step that stopped', () => {
  test('goes on with the phase that did not end, and the last one completes the operation', () => {
    const seen = ['Reach every host', 'Prepare the hosts', 'Reach every host', 'Balance the API'];
    expect(phasesLeft('instantiate', seen, files)).toEqual(['haproxy', 'workers', 'verify']);
    const again = retriedSteps(
      journalStep(step('instantiate', []), 'failed'),
      { hosts: ['a'], plays: seen },
      files,
    );
    expect(again.map(({ operation, completes }) => [operation, completes])).toEqual([
      ['haproxy', ''],
      ['workers', ''],
      ['verify', 'instantiate'],
    ]);
  });

  test.each(playbooks(kubeadmCluster()).map(({ file }) => file.replace('.yml', '')))(
    'goes on with playbooks that can be run: %s',
    (operation) => {
      const bundle = render(kubeadmCluster(), templates);
      const runnable = playbooks(kubeadmCluster()).map(({ file }) => file.replace('.yml', ''));
      const plays = outline(bundle, `${operation}.yml`).plays.map(({ name }) => name);
      const left = plays.flatMap((_, index) => phasesLeft(operation, plays.slice(0, index + 1), bundle));
      expect(left.filter((phase) => !runnable.includes(phase))).toEqual([]);
    },
  );

  test('that only reached hosts is run as a whole', () => {
    const failed = journalStep(step('instantiate', []), 'failed');
    expect(names(retriedSteps(failed, { hosts: [], plays: ['Reach every host'] }, files))).toEqual([
      'instantiate',
    ]);
  });

  test('of several new nodes is run for those that failed, and for all when nobody knows', () => {
    const failed = journalStep(step('scale-out', [], { targets: ['w1', 'w10', 'w2'] }), 'failed');
    expect(names(retriedSteps(failed, { hosts: ['w10', 'cp1'], plays: [] }, files))).toEqual([
      'scale-out w10',
    ]);
    expect(names(retriedSteps(failed, nobody, files))).toEqual(['scale-out w1 w10 w2']);
  });
});

describe('the ways to go on', () => {
  const steps = [
    journalStep(
      step('scale-in', [], { targets: ['w9'], from: 'applied', danger: 'remove', confirm: 'w9' }),
      'done',
    ),
    journalStep(step('scale-out', [], { targets: ['w1'] }), 'failed', 'r'),
    journalStep(step('verify', []), 'waiting'),
  ];

  test('retry looks once at what is done, repeats what failed, and does the rest', () => {
    const [retry] = offersFor({ steps }, nobody, files);
    expect(retry?.says).toBe('verify, then scale-out w1, then verify');
    expect(retry?.steps[0]?.required).toBe(false);
  });

  test('roll-back takes back what has an inverse, and wants its name', () => {
    const [, rollBack] = offersFor({ steps }, nobody, files);
    expect(rollBack).toMatchObject({ says: 'scale-in w1', impossible: '' });
    expect(rollBack?.steps[0]).toMatchObject({ danger: 'remove', confirm: 'w1' });
  });

  test('roll-back is about the step that began last, not about one that waits', () => {
    const [done, waits] = ['w2', 'w3'].map((name) => step('scale-in', [], { targets: [name] }));
    if (done === undefined || waits === undefined) throw new Error('two steps');
    const stopped = [journalStep(done, 'done'), journalStep(waits, 'waiting')];
    expect(offersFor({ steps: stopped }, nobody, files)[1]?.says).toBe('scale-out w2');
    const untouched = [journalStep(waits, 'waiting')];
    expect(offersFor({ steps: untouched }, nobody, files)[1]?.impossible).toContain('nothing has begun');
  });

  test('roll-back says why there is none, and fail runs nothing', () => {
    const [, rollBack, fail] = offersFor(
      { steps: [journalStep(step('upgrade', []), 'failed')] },
      nobody,
      files,
    );
    expect(rollBack).toMatchObject({
      steps: [],
      impossible: expect.stringMatching(/^upgrade has no inverse/) as string,
    });
    expect(fail?.steps).toEqual([]);
  });

  test('are none where everything is done', () => {
    expect(offersFor({ steps: steps.slice(0, 1) }, nobody, files)).toEqual([]);
  });
});
