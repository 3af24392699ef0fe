import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, exec, type Lab } from '../../../lab/index.ts';
import { packageRoot } from '../../../tasks/runtime/package.ts';
import { until } from '../../support/hosts/lab.ts';

/** Waits until nothing is left of a fault, and says who holds the address. `preferred` is who has to, or undefined. */
export async function untilWhole(lab: Lab, preferred: string | undefined): Promise<string> {
  let holder: string | undefined;
  const whole = async (): Promise<boolean> => {
    holder = holderOf(await look(lab));
    return holder !== undefined && (preferred === undefined || holder === preferred);
  };
  await until('the cluster is whole again', whole, 180);
  return holder ?? '';
}

interface Sight {
  readonly host: string;
  readonly holds: boolean;
  /** What Keepalived says it is. */
  readonly state: string;
  /** API servers that HAProxy sends requests to. */
  readonly serversUp: number;
}

const program = readFileSync(join(packageRoot, 'test', 'bench', 'vip', 'see.py'), 'utf8');

async function look(lab: Lab): Promise<readonly (Sight | undefined)[]> {
  const { hosts, vip } = describe(lab);
  return Promise.all(
    hosts
      .filter(({ roles }) => roles.includes('control-plane'))
      .map(async ({ name: host }) => {
        const seen = await exec(lab, host, ['python3', '-', vip], { input: program, timeout: 20 });
        return seen.ok ? { host, ...(JSON.parse(seen.value.stdout) as Omit<Sight, 'host'>) } : undefined;
      }),
  );
}

/** Undefined while anything is amiss: each sends requests to all, one is master and holds the address, the others stand by. */
function holderOf(sights: readonly (Sight | undefined)[]): string | undefined {
  const masters = sights.filter((sight) => sight?.state === 'MASTER');
  const amiss = sights.some(
    (sight) =>
      sight?.serversUp !== sights.length ||
      !(sight.holds ? sight.state === 'MASTER' : sight.state === 'BACKUP'),
  );
  return amiss || masters.length !== 1 ? undefined : masters[0]?.host;
}
