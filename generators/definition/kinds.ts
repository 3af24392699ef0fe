import type * as z from 'zod';
import { keysAt, keyTree, treeOf, type KeyNode } from './about.ts';
import { check } from './checks/checks.ts';
import { filesOf, type Files } from './files.ts';
import type { Finding } from '../source/finding.ts';
import { checkFleet } from './fleet/checks/checks.ts';
import { fleetSchema, type FleetDefinition } from './fleet/schema/schema.ts';
import { kindNames } from './kind-names.ts';
import { nearest } from '../source/nearest.ts';
import { checkOsa } from './openstack-ansible/checks/checks.ts';
import { osaFilesOf } from './openstack-ansible/derived.ts';
import { osaSchema, type OsaDefinition } from './openstack-ansible/schema/schema.ts';
import { schema, type Definition } from './schema/schema.ts';

/** What definitions of each kind hold once they were read. */
export interface Definitions {
  readonly Cluster: Definition;
  readonly OpenStackAnsibleMagnum: OsaDefinition;
  readonly Fleet: FleetDefinition;
}

export type KindName = (typeof kindNames)[number];

/** What the reader has to know of one kind of definition. */
export interface DefinitionKind {
  readonly name: KindName;
  readonly schema: z.ZodType;
  /** Its keys, for messages. */
  readonly tree: () => KeyNode;
  /** Whether sound values fit together; `draft` has gaps where something is wrong. */
  readonly check: (draft: object, files: Files) => readonly Finding[];
  /** Paths of the files that it is read with. */
  readonly filesOf: (draft: object) => readonly string[];
}

/** By name, as `kind` says it. */
export const kinds: Readonly<Record<KindName, DefinitionKind>> = {
  Cluster: {
    name: 'Cluster',
    schema,
    tree: keyTree,
    check: (draft, files) => check(draft, files),
    filesOf: (draft) => filesOf(draft),
  },
  OpenStackAnsibleMagnum: {
    name: 'OpenStackAnsibleMagnum',
    schema: osaSchema,
    tree: () => treeOf(osaSchema),
    check: (draft, files) => checkOsa(draft, files),
    filesOf: (draft) => osaFilesOf(draft),
  },
  Fleet: {
    name: 'Fleet',
    schema: fleetSchema,
    tree: () => treeOf(fleetSchema),
    check: (draft) => checkFleet(draft),
    // Definitions of its clusters are read when they are run.
    filesOf: () => [],
  },
};

/** The kind that a definition is meant to be, by its keys where it does not say; undefined: none of ours. */
export function kindOf(data: unknown): DefinitionKind | undefined {
  const keys = typeof data === 'object' && data !== null ? Object.keys(data) : [];
  const said = keys.includes('kind') ? (data as { readonly kind: unknown }).kind : undefined;
  if (typeof said === 'string')
    return Object.values(kinds).find(({ name }) => name === nearest(said, kindNames));
  const strange = ({ tree }: DefinitionKind): number => {
    const known = keysAt([], tree());
    return keys.filter((key) => !known.includes(key)).length;
  };
  return Object.values(kinds).reduce((best, each) => (strange(each) < strange(best) ? each : best));
}
