import type { Cluster } from '../cluster/cluster.ts';
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
  /**
   * `instantiate`: part of building the cluster; `asked`: run only when somebody asks for it by name; `part`: of other
   * operations.
   */
  readonly run: 'instantiate' | 'asked' | 'part';
  /** Folders of files that other phases bring, and that its playbook uses as they are. */
  readonly borrows?: readonly string[];
  /** A variable that is told the name of the operation that the phase is part of, if one is. */
  readonly told?: (cluster: Cluster) => string | undefined;
  /** What a run of it may or must be told, like which snapshot; a run with any other variable is refused. */
  readonly parameters: readonly Parameter[];
  /** The playbook and the files that it puts on hosts. */
  readonly render: (cluster: Cluster, fill: Fill) => readonly RenderedFile[];
}

/** A variable of the playbook, `<phase>_<word>`, that is given with `npx task run <phase> --set <variable>=<value>`. */
export interface Parameter {
  readonly variable: string;
  readonly what: string;
  readonly required: boolean;
  /** What a value must match as a whole; a JavaScript regular expression that is safe as Jinja and YAML text. */
  readonly pattern: string;
  readonly example: string;
  /** The operations that take it, where not every playbook that holds the phase does. */
  readonly operations?: readonly string[];
  /** The clusters that have it, where not every one does. */
  readonly applies?: (cluster: Cluster) => boolean;
}

export interface Tag {
  readonly name: string;
  readonly what: string;
}

/** A file that a template makes; the template lies in the folder of the phase. */
export const renderedFile = (path: string, text: string): RenderedFile => ({ path, text, mode: '0644' });

/** The same for a program that runs on a host. */
export const program = (path: string, text: string): RenderedFile => ({ path, text, mode: '0755' });
