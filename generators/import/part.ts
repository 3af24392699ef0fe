import type { Problem, Problems } from '../source/problem.ts';
import type { Path } from '../source/finding.ts';
import type { Leaf } from './leaves.ts';
import type { TextPlace } from '../source/foreign/node.ts';

/** What a person says beside the files that are imported. Empty texts: nothing. */
export interface Wishes {
  /** Applies corrections that follow from the rest. */
  readonly fix: boolean;
  readonly name: string;
  /** The virtual address, with or without its prefix. */
  readonly vip: string;
  readonly nodeSubnet: string;
  /** `local`, or user@host. */
  readonly ansibleServer: string;
  /** Who logs in to the machines where the files do not say it. */
  readonly user: string;
  /** The version of Kubernetes that Playsmith shall install by kubeadm; empty: somebody else installs it. */
  readonly kubernetes: string;
}

/** A value for a place of the definition: where it was told, and what to write above it. */
export interface Piece {
  readonly path: Path;
  readonly value?: unknown;
  readonly place?: TextPlace | undefined;
  readonly note?: string | undefined;
}

/** What was told and has no key in a definition; it is written as a comment. */
export interface UntouchedPart {
  readonly title: string;
  readonly data: unknown;
}

/** A secret that was found: where it is asked for from now on, and whose it is. */
export interface SecretNeed {
  readonly variable: string;
  readonly what: string;
}

/** What one place of the imported files says; parts are joined. */
export interface ImportPart {
  readonly pieces: readonly Piece[];
  readonly kept: readonly UntouchedPart[];
  readonly assumptions: readonly string[];
  readonly secrets: readonly SecretNeed[];
  readonly problems: Problems;
  /** Corrections that were applied. */
  readonly fixed: readonly string[];
  /** Keys and values of the files that are in the definition, or that something said follows from. */
  readonly taken: readonly TextPlace[];
  /** Values that are not, each of which is kept with its place. */
  readonly leftOver: readonly Leaf[];
}

export const part = (some: Partial<ImportPart>): ImportPart => ({ ...nothing, ...some });

export const joinParts = (parts: readonly ImportPart[]): ImportPart => ({
  pieces: parts.flatMap(({ pieces }) => pieces),
  kept: parts.flatMap(({ kept }) => kept),
  assumptions: parts.flatMap(({ assumptions }) => assumptions),
  secrets: parts.flatMap(({ secrets }) => secrets),
  problems: parts.flatMap(({ problems }) => problems),
  fixed: parts.flatMap(({ fixed }) => fixed),
  taken: parts.flatMap(({ taken }) => taken),
  leftOver: parts.flatMap(({ leftOver }) => leftOver),
});

/** A problem whose correction is known: reported, or with `fix` applied and told. */
export const correctable = (problem: Problem, { fix }: Wishes): ImportPart =>
  fix
    ? part({ fixed: [`${problem.file}:${problem.line}: ${problem.message}; now ${problem.remedy}`] })
    : part({ problems: [problem] });

const nothing: ImportPart = {
  pieces: [],
  kept: [],
  assumptions: [],
  secrets: [],
  problems: [],
  fixed: [],
  taken: [],
  leftOver: [],
};
