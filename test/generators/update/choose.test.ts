import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { containerdLines, judgeContainerd } from '../../../generators/catalog/kubernetes/containerd.ts';
import { minors } from '../../../generators/catalog/kubernetes/minors.ts';
import { compareVersions } from '../../../generators/catalog/kubernetes/version.ts';
import { choose, lineWanted, type Choice } from '../../../generators/update/choose.ts';
import { componentNames, type ComponentName } from '../../../generators/update/components.ts';

const wish = (name: ComponentName, current: string, more: Partial<Choice> = {}): Choice => ({
  name,
  current,
  minor: false,
  chosen: new Map(),
  ...more,
});

const chosen = (choice: Choice, ...published: readonly string[]): string => {
  const line = lineWanted(choice);
  return line.ok ? choose(choice, line.value, published) : line.failure;
};

describe('a newer version', () => {
  test.each(componentNames.filter((name) => name !== 'containerd' && name !== 'runc'))(
    'of %s is the newest patch, also where two digits follow one',
    (name) => {
      expect(chosen(wish(name, '1.35.2'), '1.35.9', '1.35.10', '1.36.0', '1.34.11')).toBe('1.35.10');
    },
  );

  test('is never an older one than there is', () => {
    const version = fc.tuple(fc.nat(2), fc.nat(40), fc.nat(20)).map((parts) => parts.join('.'));
    fc.assert(
      fc.property(
        fc.constantFrom(...componentNames),
        version,
        fc.array(version),
        fc.boolean(),
        (name, current, published, minor) => {
          const choice = wish(name, current, { minor, chosen: new Map([['kubernetes', '1.37.2']]) });
          const line = lineWanted(choice);
          if (!line.ok) return;
          const to = choose(choice, line.value, published);
          expect(compareVersions(to, current)).toBeGreaterThanOrEqual(0);
          expect([current, ...published]).toContain(to);
        },
      ),
    );
  });

  test('of a plugin goes one line further when that is asked for, and no more', () => {
    const published = ['3.32.3', '3.33.0', '3.33.1', '3.34.0'];
    expect(chosen(wish('calico', '3.32.1'), ...published)).toBe('3.32.3');
    expect(chosen(wish('calico', '3.32.1', { minor: true }), ...published)).toBe('3.33.1');
    expect(chosen(wish('calico', '3.34.0', { minor: true }), ...published)).toBe('3.34.0');
    expect(chosen(wish('helm', '3.19.2', { minor: true }), '3.19.2', '4.0.1')).toBe('3.19.2');
  });
});

describe('Kubernetes', () => {
  test('goes one minor version further, never two', () => {
    expect(lineWanted(wish('kubernetes', '1.35.4', { minor: true }))).toEqual({ ok: true, value: '1.36' });
  });

  test.each([
    ['1.20.2', false, '1.20'],
    [`1.${minors.at(-1)?.minor ?? 0}.0`, true, `1.${(minors.at(-1)?.minor ?? 0) + 1}`],
  ])('%s stays where this version of Playsmith does not know what comes', (current, minor, unknown) => {
    const line = lineWanted(wish('kubernetes', current, { minor }));
    expect(line).toMatchObject({ ok: false });
    expect(line.ok ? '' : line.failure).toContain(`Kubernetes ${unknown} is not known here`);
  });
});

describe('containerd', () => {
  const line = (current: string, kubernetes: string): string => {
    const wanted = lineWanted(wish('containerd', current, { chosen: new Map([['kubernetes', kubernetes]]) }));
    return wanted.ok ? wanted.value : wanted.failure;
  };

  test('keeps its line as long as Kubernetes was tested with it', () => {
    expect(line('2.3.1', '1.36.3')).toBe('2.3');
    expect(line('2.3.1', '1.37.2')).toBe('2.3');
  });

  test('leaves a line that is over, or that Kubernetes was not tested with', () => {
    expect(line('2.2.1', '1.37.2')).toBe('2.3');
    expect(line('2.1.5', '1.35.4')).toBe('2.3');
  });

  test('goes with every Kubernetes that is known, whatever it was', () => {
    for (const { minor } of minors)
      for (const { newest } of containerdLines.filter((each) => each.newest !== '')) {
        const wanted = line(newest, `1.${minor}.0`);
        const then = containerdLines.find((each) => each.line === wanted)?.newest ?? '';
        expect(judgeContainerd(then, minor), `${newest} with 1.${minor}`).toBe('tested');
      }
  });

  test('brings the line of runc that it is tested with', () => {
    const runc = (containerd: string): unknown =>
      lineWanted(wish('runc', '1.3.0', { chosen: new Map([['containerd', containerd]]) }));
    expect(runc('2.3.7')).toEqual({ ok: true, value: '1.5' });
    expect(runc('2.0.14')).toEqual({ ok: true, value: '1.3' });
  });
});
