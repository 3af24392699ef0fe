import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/** `PLAYSMITH_CAPI_HELM_CHARTS` where it is a git repository that has the tag, else empty. */
export function chartsRepository(tag: string): string {
  const given = process.env['PLAYSMITH_CAPI_HELM_CHARTS'] ?? '';
  const asked = spawnSync('git', [
    '-C',
    given || '/nowhere',
    'rev-parse',
    '--verify',
    '--quiet',
    `${tag}^{commit}`,
  ]);
  return asked.status === 0 ? given : '';
}

/** The chart `openstack-cluster` of a tag, with the one that it depends on in it; its folder. */
export function openStackClusterChart(repository: string, tag: string, folder: string): string {
  const archive = execFileSync('git', ['-C', repository, 'archive', tag, 'charts'], { maxBuffer: 64 << 20 });
  execFileSync('tar', ['--extract', '--directory', folder], { input: archive });
  const chart = join(folder, 'charts/openstack-cluster');
  cpSync(join(folder, 'charts/cluster-addons'), join(chart, 'charts/cluster-addons'), { recursive: true });
  return chart;
}
