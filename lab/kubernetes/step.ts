import { ok, type Result } from '../../generators/result.ts';
import { program, type ProgramOptions } from '../../tasks/runtime/program.ts';
import { programFailure, type LabFailure, type OnProgress } from '../machine/lab-failure.ts';
import type { ImageRecipe } from './recipe.ts';
import type { LabRelease } from './releases.ts';

/** Where a build works and whom it tells. */
export interface Build {
  /** Everything that is only needed while building. */
  readonly folder: string;
  /** Becomes the artifacts. */
  readonly out: string;
  readonly release: LabRelease;
  /** What nodes import besides the images of the release. */
  readonly extraImages: readonly ImageRecipe[];
  /** Where Go keeps modules and what it compiled; stays, since the next release shares most of it. */
  readonly goCache: string;
  readonly mirror: string;
  readonly tell: OnProgress;
}

export type BuildStep = () => Promise<Result<void, LabFailure>>;

/** One after the other, until one fails. */
export async function inOrder(steps: readonly BuildStep[]): Promise<Result<void, LabFailure>> {
  for (const step of steps) {
    const result = await step();
    if (!result.ok) return result;
  }
  return ok(undefined);
}

/** A program as a step; `purpose` begins its message when it fails. */
export const running =
  (purpose: string, argv: readonly string[], options: ProgramOptions = {}): BuildStep =>
  async () => {
    const ran = await program(argv, { timeout: 600, ...options });
    return ran.ok ? ok(undefined) : programFailure(purpose, ran.failure);
  };
