import { execFileSync } from 'node:child_process';
import type { Cluster } from '../../../generators/cluster/cluster.ts';
import { exampleClusters } from './examples.ts';

/** The cluster of examples/kubespray.yml. */
export const kubesprayExample: Cluster = exampleOf('kubespray');

function exampleOf(wanted: string): Cluster {
  const found = exampleClusters.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`there is no example ${wanted}`);
  return found;
}

/** Makes a repository of the folder with one commit, and says which. */
export function commitAll(folder: string): { readonly commit: string; readonly tree: string } {
  git(folder, 'init', '--quiet');
  git(folder, 'add', '--all', '--force');
  git(folder, 'commit', '--quiet', '--message', 'A checkout');
  return {
    commit: git(folder, 'rev-parse', 'HEAD'),
    tree: git(folder, 'rev-parse', 'HEAD^{tree}'),
  };
}

/** Calls git as nobody in particular. */
export const git = (folder: string, ...words: readonly string[]): string =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
