import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runModule } from '../../../support/module.ts';

/** What speaks against this machine, as if it had been made a node or not. */
function problems(disk: number, isNode: boolean): readonly string[] {
  const etc = mkdtempSync(join(tmpdir(), 'playsmith-preflight-'));
  mkdirSync(join(etc, 'kubernetes'));
  if (isNode) writeFileSync(join(etc, 'kubernetes/kubelet.conf'), '');
  const asked = { addresses: ['127.0.0.1'], memory: 1, disk, seconds: 0 };
  const replaced = { '/etc/kubernetes': join(etc, 'kubernetes') };
  return runModule('host_preflight', asked, { replaced }).result.problems ?? [];
}

const needed = 1_000_000_000;

test.each([
  [needed, false, 1],
  [needed, true, 0],
  [1, false, 0],
])('of %i MB on a host (is it a node: %s) preflight says %i problems', (disk, isNode, count) => {
  const said = problems(disk, isNode).filter((problem) => problem.includes('below /var'));
  expect(said).toHaveLength(count);
});
