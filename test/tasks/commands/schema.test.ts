import { expect, test } from 'vitest';
import { schema } from '../../../tasks/commands/define/schema.ts';
import { quietWorld } from '../../support/world.ts';

test.each([true, false])(
  'the schema is for eyes, and with --json one line for programs: %s',
  async (json) => {
    const lines: string[] = [];
    const world = { ...quietWorld('/'), json, print: (text: string) => lines.push(...text.split('\n')) };
    expect(await schema.run({ kind: 'Cluster' } as never, world)).toEqual({ ok: true, value: undefined });
    expect(JSON.parse(lines.join('\n'))).toMatchObject({ type: 'object' });
    expect(lines.length === 1).toBe(json);
  },
);
