import { expect, test } from 'vitest';
import { heldMachines } from '../../../../tasks/steps/run/lock.ts';

test('two definitions mean one machine when they reach it alike, whoever logs in', () => {
  const machine = (host: string, port: number, proxyJump = '') => ({
    name: 'n',
    ssh: { host, port, proxyJump },
  });
  const at = (...of: Parameters<typeof machine>): string | undefined =>
    heldMachines({ machines: [machine(...of)] } as unknown as Parameters<typeof heldMachines>[0])[0]?.at;
  expect(at('10.0.0.1', 22)).toBe('10.0.0.1');
  expect(at('Node1.example', 2222)).toBe('node1.example port 2222');
  expect(at('10.0.0.1', 22, 'ada@gate:2222')).toBe(at('10.0.0.1', 22, 'bob@gate:2222'));
  expect(at('10.0.0.1', 22, 'gate')).not.toBe(at('10.0.0.1', 22, 'gate2'));
});
