import { pack, type Bundle } from '../../generators/bundle.ts';
import type { Cluster } from '../../generators/cluster/cluster.ts';
import { load } from '../../generators/load.ts';
import { showProblems } from '../../generators/source/problems.ts';
import { render } from '../../generators/render.ts';

type Templates = Parameters<typeof render>[1];

/** Definition text → bundle, as every task does it; throws the faults of a definition that has any. */
export function bundleOf(
  text: string,
  templates: Templates,
): { readonly cluster: Cluster; readonly bundle: Bundle } {
  const loaded = load(text, 'cluster.yml');
  if (!loaded.ok) throw new Error(showProblems(loaded.failure, text));
  const { cluster } = loaded.value;
  return { cluster, bundle: pack(cluster, render(cluster, templates)) };
}
