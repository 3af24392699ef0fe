import { atMost, median, seen, type Figure } from '../figure.ts';
import { rotated } from '../interleaved.ts';
import { deploy } from '../lab/deploy.ts';
import { settings, type Setting } from '../lab/settings.ts';
import type { Bench } from '../options.ts';
import { faultNames, outage, type FaultName } from './outage.ts';

/** How long nobody answers on the virtual address after a fault of its holder. */
export async function vip({ lab: open, repetitions, say }: Bench): Promise<readonly Figure[]> {
  const bench = await open();
  const times = new Map<string, number[]>();
  for (let round = 0; round < repetitions; round += 1)
    for (const setting of rotated(settings, round)) {
      say(`vip: round ${round + 1} of ${repetitions}, ${setting}`);
      await deploy(bench, setting);
      for (const fault of rotated(faultNames, round)) {
        const time = await outage(bench.lab, fault, setting === 'tacker' ? 'cp1' : undefined);
        say(`vip: ${setting}, ${fault}: ${time.toFixed(2)} s`);
        times.set(`${setting} ${fault}`, [...(times.get(`${setting} ${fault}`) ?? []), time]);
      }
    }
  return figures((setting, fault) => median(times.get(`${setting} ${fault}`) ?? []));
}

/** Seconds, from the issue that asked for them. */
const goals: Readonly<Record<Exclude<Setting, 'tacker'>, Readonly<Record<FaultName, number>>>> = {
  standard: { 'haproxy stopped': 2.5, 'host frozen': 4, 'host powered off': 4 },
  fast: { 'haproxy stopped': 1.6, 'host frozen': 1, 'host powered off': 1 },
};

const titles: Readonly<Record<Setting, string>> = {
  standard: 'default',
  fast: 'failover: fast',
  tacker: 'examples/tacker-ha.yml',
};

function figures(time: (setting: Setting, fault: FaultName) => number): readonly Figure[] {
  return faultNames.flatMap((fault) => [
    ...(['standard', 'fast'] as const).map((setting) =>
      atMost(`outage, ${fault}, ${titles[setting]}`, time(setting, fault), {
        unit: 's',
        goal: goals[setting][fault],
      }),
    ),
    seen(`outage, ${fault}, ${titles.tacker}`, time('tacker', fault), 's'),
    ...(['standard', 'fast'] as const).map((setting) =>
      seen(
        `outage, ${fault}, ${titles.tacker} : ${titles[setting]}`,
        time('tacker', fault) / time(setting, fault),
        'ratio',
      ),
    ),
  ]);
}
