import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { down, type Lab } from '../../../lab/index.ts';
import { must, raiseLab } from '../../support/hosts/lab.ts';

/** Three control planes, an Ansible server and a client; `folder` holds definitions and what they render to. */
export interface BenchLab {
  readonly lab: Lab;
  readonly folder: string;
}

const name = 'bench';

/** A lab that comes up when it is first asked for, and is taken away at the end. */
export function benchLab(say: (text: string) => void): {
  readonly open: () => Promise<BenchLab>;
  readonly close: () => Promise<void>;
} {
  let opened: Promise<BenchLab> | undefined;
  return {
    open: () => (opened ??= raise(say)),
    close: async () => {
      const lab = await opened?.catch(() => undefined);
      if (opened === undefined) return;
      say(`lab: taking ${name} away`);
      must(await down(name));
      if (lab) rmSync(lab.folder, { recursive: true, force: true });
    },
  };
}

async function raise(say: (text: string) => void): Promise<BenchLab> {
  say(`lab: making ${name}`);
  return { lab: await raiseLab(name), folder: mkdtempSync(join(tmpdir(), 'playsmith-bench-')) };
}
