import { marked, type Tokens } from 'marked';
import { expect, test } from 'vitest';
import { planInMarkdown } from '../../../generators/plan/markdown.ts';
import type { Plan } from '../../../generators/plan/plan.ts';
import { step } from '../../../generators/plan/step.ts';

const plan: Plan = {
  cluster: 'edge-a',
  before: 'a'.repeat(64),
  after: 'b'.repeat(64),
  steps: [
    step('scale-in', ['worker03 left the definition', 'its label <x>*y* goes'], {
      targets: ['worker03'],
      danger: 'remove',
      confirm: 'worker03',
    }),
    ...Array.from({ length: 9 }, (_, index) => step('haproxy', [`reason ${index}`])),
  ],
  unneeded: ['review: only git reads it'],
  refused: ['podNetwork `10.0.0.0/8` | cannot move'],
};

test('a plan is a numbered list, with the reasons of each step below it', () => {
  const tokens = marked.lexer(planInMarkdown(plan, '0123456789ab'));
  const steps = tokens.find((token): token is Tokens.List => token.type === 'list' && token.ordered === true);
  expect(steps?.items).toHaveLength(10);
  for (const item of steps?.items ?? []) {
    const [, reasons] = item.tokens;
    expect(reasons?.type).toBe('list');
  }
  expect(tokens.filter(({ type }) => type === 'heading').map(({ raw }) => raw.trim())).toEqual([
    '## Plan of cluster edge-a: 10 steps',
    '### Needs no step',
    '### Cannot be done in place',
  ]);
});

test('it says what is dangerous and how that is confirmed, and ends with its own name', () => {
  const text = planInMarkdown(plan, '0123456789ab');
  expect(text).toContain('1. `scale-in worker03`, **remove**: needs `--confirm worker03`');
  expect(text).toContain('From bundle aaaaaaaaaaaa to bundle bbbbbbbbbbbb.');
  expect(text.endsWith('\n\nPlan `0123456789ab`\n')).toBe(true);
});

test('signs of Markdown and HTML in reasons stay text', () => {
  const html = marked.parse(planInMarkdown(plan, '0'), { async: false });
  expect(html).toContain('its label &lt;x&gt;*y* goes');
  expect(html).toContain('podNetwork `10.0.0.0/8` | cannot move');
});

test('a plan without a step says so', () => {
  const text = planInMarkdown({ ...plan, steps: [], before: '', unneeded: [], refused: [] }, '0');
  expect(text).toBe(
    '## Plan of cluster edge-a: nothing to do\n\nFrom nothing applied yet to bundle bbbbbbbbbbbb.\n\nPlan `0`\n',
  );
});
