import { failed } from '../../generators/result.ts';
import type { Failure } from '../../tasks/runtime/failures.ts';
import { lastLines, type ProgramFailure } from '../../tasks/runtime/program.ts';

export type LabFailure = Extract<Failure, { kind: 'lab' }>;

/** Told in words what the lab is doing, and how long that takes where it takes long. */
export type OnProgress = (text: string) => void;

export const labFailure = (
  message: string,
  next: string,
  evidence = '',
): { ok: false; failure: LabFailure } => failed({ kind: 'lab', message, evidence, next });

/** A program that the lab needed failed: what it was for, how it ended, its last words. */
export const programFailure = (
  purpose: string,
  failure: ProgramFailure,
): { ok: false; failure: LabFailure } =>
  labFailure(
    `${purpose}: ${failure.message}`,
    'Read the lines above; `npx task lab down` takes a half-made lab away.',
    lastLines(failure),
  );
