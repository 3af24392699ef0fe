import { readFileSync } from 'node:fs';

/** Seconds that the processors of this machine have worked since it started, for whomever. Only on Linux. */
export function processorSeconds(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line.split(/ +/).slice(1).map(Number);
  return (user + nice + system + irq + softirq) / ticksPerSecond;
}

/** What the kernel tells programs, on every architecture that Node.js runs on. */
const ticksPerSecond = 100;
