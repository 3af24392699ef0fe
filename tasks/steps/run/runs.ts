import type { Result } from '../../../generators/result.ts';
import type { Answers } from '../../runtime/agent/messages.ts';
import type { Failure } from '../../runtime/failures.ts';
import type { Server } from '../../runtime/server.ts';

/** The runs that the server knows, the latest last, and the locks that are held; an empty cluster: of all. */
export const runs = (
  server: Server,
  { cluster, limit = 50 }: { readonly cluster: string; readonly limit?: number },
): Promise<Result<Answers['list'], Failure>> => server.agent().ask('list', { cluster, limit });

/** One run and the lock of its cluster; an empty run is the latest. */
export const runStatus = (
  server: Server,
  request: { readonly cluster: string; readonly run: string },
): Promise<Result<Answers['status'], Failure>> => server.agent().ask('status', request);

/** What Ansible printed so far, piece by piece. */
export const log = (
  server: Server,
  {
    cluster,
    run,
    print,
  }: { readonly cluster: string; readonly run: string; readonly print: (text: string) => void },
): Promise<Result<Answers['log'], Failure>> =>
  server.agent().ask('log', { cluster, run }, (event) => {
    if ('text' in event && event.type === undefined) print(`${event.text}\n`);
  });
