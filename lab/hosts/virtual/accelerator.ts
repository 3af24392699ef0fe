import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';
import { program } from '../../../tasks/runtime/program.ts';
import { absent } from '../../machine/absent.ts';
import type { OnProgress } from '../../machine/lab-failure.ts';
import type { LabPlace } from '../../machine/place.ts';
import { trialArgv, type Accelerator } from './argv.ts';
import type { DiskImage } from './disk-image.ts';

/**
 * KVM where a guest has really booted with it, because `/dev/kvm` alone says little: in a virtual machine it may be
 * there and let every kernel hang. Asked once for each kernel of this machine, since that takes half a minute then.
 */
export async function accelerator(
  place: LabPlace,
  image: DiskImage,
  tell: OnProgress = () => undefined,
): Promise<Accelerator> {
  if (!existsSync('/dev/kvm')) return 'tcg';
  const machine = await thisMachine();
  const known = await readVerdict(place);
  if (known?.machine === machine) return known.accelerator;
  tell(`Finding out whether KVM works here (at most ${seconds} seconds)`);
  const tried = await program(trialArgv(image), { timeout: seconds });
  const works = tried.ok && tried.value.stdout.includes('a kernel of Debian runs here');
  const found: AcceleratorVerdict = { machine, accelerator: works ? 'kvm' : 'tcg' };
  await writeFile(verdictFile(place), `${JSON.stringify(found, null, 2)}\n`);
  return found.accelerator;
}

const seconds = 30;

interface AcceleratorVerdict {
  readonly machine: string;
  readonly accelerator: Accelerator;
}

const verdictFile = ({ virtual }: LabPlace): string => join(virtual, 'kvm.json');

async function readVerdict(place: LabPlace): Promise<AcceleratorVerdict | undefined> {
  const text = await readFile(verdictFile(place), 'utf8').catch(absent);
  return text === undefined ? undefined : (JSON.parse(text) as AcceleratorVerdict);
}

/** Another kernel or another processor may do better. */
async function thisMachine(): Promise<string> {
  const processors = await readFile('/proc/cpuinfo', 'utf8');
  return `${release()} on ${/^model name\s*: (.*)$/m.exec(processors)?.[1] ?? 'unknown'}`;
}
