import type { Cluster } from '../../generators/cluster/cluster.ts';
import { resolveReference } from '../runtime/secrets/resolve.ts';
import type { RegistryLogin } from './registry-login.ts';

/**
 * Who we are at the registries of a definition, by their names; relative paths start at `folder`. A password that has no
 * value here is missed only by the registry that asks for it: most hold the users' own images, which are not fetched.
 */
export async function loginsOf(
  { containerd: { registries }, secrets }: Cluster,
  folder: string,
): Promise<ReadonlyMap<string, RegistryLogin>> {
  const pairs = registries.map(async ({ host, user, ca, passwordVariable }) => {
    const use = secrets.find(({ variable }) => variable === passwordVariable);
    const found = use && (await resolveReference(use.reference, folder));
    return [host, { user, ca, password: found?.ok === true ? found.value : undefined }] as const;
  });
  return new Map(await Promise.all(pairs));
}
