import type { Readable, Writable } from 'node:stream';
import type { Result } from '../../generators/result.ts';
import type { Failure } from './failures.ts';

/** How a program on the server ended: `status` is null when a signal ended it. */
export interface ProgramEnding {
  readonly status: number | null;
  readonly stderr: string;
}

/** A program that runs on the server. */
export interface RemoteProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** A `connection` failure when the way to the server was lost before the program ended. */
  readonly ended: Promise<Result<ProgramEnding, Failure>>;
  readonly stop: () => void;
}

/** A way to an Ansible server; everything above it is the same for each. */
export interface Transport {
  /** As a person would name it, like `ansible@192.0.2.5:22`. */
  readonly name: string;
  /** Starts what a POSIX shell makes of `line`. */
  readonly spawn: (line: string) => Promise<Result<RemoteProcess, Failure>>;
  /** Writes a file whose folder is there. */
  readonly put: (bytes: Uint8Array, path: string) => Promise<Result<void, PutProblem>>;
  /** Copies a file of this machine to a path whose folder is there, piece by piece. */
  readonly upload: (from: string, path: string) => Promise<Result<void, PutProblem>>;
  /** Copies a file to a path of this machine, piece by piece; a file that is there keeps its mode. Not more than `most` bytes. */
  readonly download: (
    path: string,
    copy: { readonly to: string; readonly most: number },
  ) => Promise<Result<void, PutProblem>>;
  /** Nothing comes through any more. */
  readonly isLost: () => boolean;
  readonly close: () => Promise<void>;
}

/** `lost` says that the connection is gone; else the server refused the file, and `reason` is all that it said. */
export type PutProblem = { readonly lost: Failure } | { readonly reason: string };

/** The end of what a stream says, once it is asked for: somebody may say more than the memory holds. */
export function endOf(stream: Readable): () => string {
  let end = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    end = Buffer.concat([end, chunk]).subarray(-mostOfErrors);
  });
  return () => end.toString('utf8');
}

/** Bytes of what a program says of its errors. */
const mostOfErrors = 64 * 1024;

/** Somebody says more at once than anything that we ask has for an answer. */
export const endless = (who: string): Failure => ({
  kind: 'server',
  message: `${who} says more than anybody asked for; nothing was done with it`,
  evidence: '',
  next: 'Look at what answers there: it is not what Playsmith sent',
});

/** Whoever logs in there gets another program than the one that was asked for; `said` is what that printed. */
export const somethingElse = (who: string, said: string): Failure => ({
  kind: 'server',
  message: `${who} runs something else than what Playsmith asks for`,
  evidence: said.trim().slice(0, 1000),
  next: 'Let its user run programs: no ForceCommand in sshd_config, no command= before the key in authorized_keys, a shell that is none like nologin',
});
