import { describe, expect, it } from 'vitest';
import { probeResult, type Attempt } from '../../../lab/client/probe-result.ts';

const answer = (at: number, by: string): Attempt => ({ asked: at, ended: at + 0.01, ok: true, by });
const silence = (at: number): Attempt => ({ asked: at, ended: at + 0.2, ok: false, by: '' });

describe('what a probe saw', () => {
  it('is no gap when every answer comes within 0.3 seconds of the one before', () => {
    expect(probeResult([answer(0, 'cp1'), answer(0.25, 'cp1'), answer(0.5, 'cp2')]).gaps).toEqual([]);
  });

  it('is a gap from the end of the last answer to the end of the next', () => {
    const seen = probeResult([answer(0, 'cp1'), silence(0.05), silence(0.1), answer(2, 'cp2')]);
    expect(seen.gaps).toEqual([{ from: 0.01, seconds: 2 }]);
    expect(seen).toMatchObject({ asked: 4, answered: 2 });
  });

  it('counts silence at the start and at the end', () => {
    const seen = probeResult([silence(0), answer(1, 'cp1'), silence(1.5)]);
    expect(seen.gaps.map(({ seconds }) => seconds)).toEqual([1.01, 0.69]);
  });

  it('tells who answered from when to when', () => {
    const seen = probeResult([answer(0, 'cp1'), answer(0.1, 'cp2'), answer(0.2, 'cp1'), answer(0.3, 'cp2')]);
    expect(seen.answeredBy).toEqual([
      { name: 'cp1', first: 0.01, last: expect.closeTo(0.21) as number, count: 2 },
      { name: 'cp2', first: expect.closeTo(0.11) as number, last: expect.closeTo(0.31) as number, count: 2 },
    ]);
  });

  it('orders attempts by their end, as they overlap', () => {
    expect(probeResult([silence(0), answer(0.05, 'cp1'), answer(0.1, 'cp1')]).gaps).toEqual([]);
  });
});
