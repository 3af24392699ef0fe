import { defaults } from '../defaults.ts';
import type { ManifestObject } from '../manifests/objects.ts';

/** Where a CNF lives, and who said so. */
export interface NamespaceChoice<Found extends ManifestObject = ManifestObject> {
  readonly namespace: string;
  readonly from: 'definition' | 'manifests' | 'default';
  /** Objects whose manifests say another namespace, which the definition overrides. */
  readonly moved: readonly Found[];
  /** True: the manifests say several, and nobody decides. `namespace` is then the first of them. */
  readonly isDisputed: boolean;
}

/**
 * The definition's namespace wins, then the one of the manifests, then `default`. As with Tacker's second API, an object
 * without one says `default`; a Namespace speaks for its own name.
 */
export function chooseNamespace<Found extends ManifestObject>(
  written: string | undefined,
  objects: readonly Found[],
): NamespaceChoice<Found> {
  const said = [...new Set(objects.map(namespaceSaid))];
  if (written !== undefined)
    return {
      namespace: written,
      from: 'definition',
      moved: objects.filter((object) => object.namespace !== '' && object.namespace !== written),
      isDisputed: false,
    };
  const isSaid = objects.some((object) => object.namespace !== '' || object.kind === 'Namespace');
  return {
    namespace: said[0] ?? defaults.cnf.namespace,
    from: isSaid ? 'manifests' : 'default',
    moved: [],
    isDisputed: said.length > 1,
  };
}

/** What one object says of the namespace. */
export const namespaceSaid = ({ kind, name, namespace }: ManifestObject): string =>
  kind === 'Namespace' ? name : namespace === '' ? defaults.cnf.namespace : namespace;

/** `Service web (manifests/web.yaml:1:1)` */
export const objectTitle = ({ kind, name, place }: ManifestObject): string => `${kind} ${name} (${place})`;
