import type { Cluster } from '../cluster/cluster.ts';
import type { Files } from '../definition/files.ts';
import type { DefinitionKind, Definitions, KindName } from '../definition/kinds.ts';
import type { Fill } from '../engine.ts';
import type { Operation } from '../operations/operation.ts';
import type { HostsByGroup } from '../outline/hosts.ts';
import type { Phase } from '../phases/phase.ts';
import type { RenderedFile } from '../rendered-file.ts';
import type { Topology } from '../topology/picture.ts';

/** Everything that is particular to one kind of definition, from its schema to what is said of it. */
export interface Kind<Name extends KindName = KindName> {
  /** Schema, checks and files of its definitions. */
  readonly definition: DefinitionKind;
  readonly resolve: (definition: Definitions[Name], files: Files) => Cluster;
  /** Whether a resolved definition is of this kind. */
  readonly owns: (cluster: Cluster) => boolean;
  /** Who is in which group of the inventory. */
  readonly groups: (cluster: Cluster) => HostsByGroup;
  /** Every phase, in the order in which they are run; each says whether it applies. */
  readonly phases: readonly Phase[];
  readonly operations: readonly Operation[];
  /** Files of the bundle besides playbooks, what they use, and what every bundle has. */
  readonly files: (cluster: Cluster, fill: Fill) => readonly RenderedFile[];
  /** A few words for `check`: what is defined, and how much of it. */
  readonly summary: (cluster: Cluster) => string;
  /** Sentences for the page that a reviewer opens first. */
  readonly introduction: (cluster: Cluster) => string;
  /** Its hosts and the flows between them, where there is a picture of it. */
  readonly topology: ((cluster: Cluster) => Topology) | undefined;
  /** What it installs, as label and value; an empty value: it does not say. */
  readonly versions: (cluster: Cluster) => readonly (readonly [label: string, value: string])[];
  /** Why there is no plan for it, and what is run instead; undefined: there is one. */
  readonly unplanned: { readonly reason: string; readonly next: string } | undefined;
}
