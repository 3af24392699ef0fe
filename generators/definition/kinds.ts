import type * as z from 'zod';
import { keyTree, treeOf, type KeyNode } from './about.ts';
import { check } from './checks.ts';
import { filesOf, type Files } from './files.ts';
import type { Finding } from './finding.ts';
import { checkFleet } from './fleet/checks.ts';
import { fleetSchema } from './fleet/schema.ts';
import { kindNames } from './kind-names.ts';
import { nearest } from './nearest.ts';
import { checkOsa } from './osa/checks.ts';
import { osaFilesOf } from './osa/derived.ts';
import { osaSchema } from './osa/schema.ts';
import { schema } from './schema.ts';

/** What the reader has to know of one kind of definition. */
export interface Kind {
  readonly name: (typeof kindNames)[number];
  readonly schema: z.ZodType;
  /** Its keys, for messages. */
  readonly tree: () => KeyNode;
  /** Whether sound values fit together; `draft` has gaps where something is wrong. */
  readonly check: (draft: object, files: Files) => readonly Finding[];
  /** Paths of the files that it is read with. */
  readonly filesOf: (draft: object) => readonly string[];
}

/** By name, as `kind` says it. */
export const kinds: Readonly<Record<Kind['name'], Kind>> = {
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

/** The kind that a definition is meant to be; a cluster where it does not say; undefined: none of ours. */
export function kindOf(data: unknown): Kind | undefined {
  const said = typeof data === 'object' && data !== null && 'kind' in data ? data.kind : undefined;
  if (typeof said !== 'string') return kinds.Cluster;
  return Object.values(kinds).find(({ name }) => name === nearest(said, kindNames));
}
