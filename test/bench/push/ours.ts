import type { Result } from '../../../generators/result.ts';
import { explain, type Failure } from '../../../tasks/runtime/failures.ts';
import { connect } from '../../../tasks/steps/server/connect.ts';
import { push } from '../../../tasks/steps/bundle/push.ts';
import { task } from '../command.ts';
import type { Ground } from './ground.ts';

/** The step of the pipeline with its login and its goodbye: what `run` does once Node.js runs. */
export async function step({ cluster, bundle, sshd }: Ground): Promise<void> {
  const server = value(await connect(cluster.ansibleServer, { around: sshd.around }));
  value(await push(server, bundle));
  await server.close();
}

/** `npx task push` from the start of its process to its end. */
export const wholeTask = ({ sshd, file, output }: Ground): Promise<string> =>
  task(['push', '--file', file, '--output', output], { HOME: sshd.around.home });

/** Round trips of a push from the end of the login, when the server has said that we are in, to the answer. */
export async function roundTrips({ cluster, bundle, sshd, proxy }: Ground): Promise<number> {
  const server = value(await connect(cluster.ansibleServer, { around: sshd.around }));
  proxy.reset();
  value(await push(server, bundle));
  const count = proxy.roundTrips();
  await server.close();
  return count;
}

const value = <Value>(result: Result<Value, Failure>): Value => {
  if (!result.ok) throw new Error(explain(result.failure));
  return result.value;
};
