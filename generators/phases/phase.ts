import type { Cluster } from '../cluster.ts';
import type { Fill } from '../engine.ts';
import type { RenderedFile } from '../rendered-file.ts';

/** One playbook that brings one concern to its wanted state. Its name is also its file, tag and template folder. */
export interface Phase {
  readonly name: string;
  /** One sentence for the README and the manifest. */
  readonly what: string;
  /** Inventory group that it works on. */
  readonly hosts: string;
  readonly tags: readonly Tag[];
  readonly applies: (cluster: Cluster) => boolean;
  /** The playbook and the files that it puts on hosts. */
  readonly render: (cluster: Cluster, fill: Fill) => readonly RenderedFile[];
}

export interface Tag {
  readonly name: string;
  readonly what: string;
}

/** A file that a template makes; the template lies in the folder of the phase. */
export const rendered = (path: string, text: string): RenderedFile => ({ path, text, mode: '0644' });
