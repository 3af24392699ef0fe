import { dirname } from 'node:path';
import type { Cluster, SecretUse } from '../../../generators/cluster/cluster.ts';
import { mainPlaybook } from '../../../generators/playbooks.ts';
import type { Result } from '../../../generators/result.ts';
import type { MessageReceiver, RunMessages } from '../../runtime/agent/message-requests.ts';
import type { Failure } from '../../runtime/failures.ts';
import { resolveSecrets } from '../../runtime/secrets/resolve.ts';
import type { SecretValues } from '../../runtime/secrets/secret.ts';
import type { DefinitionFile } from '../definition/load.ts';
import type { PreparedRun } from './prepare.ts';

type WithReceivers = Pick<Cluster, 'messages'>;

/** The secrets of everybody who is told how runs end. No playbook reads them. */
export const messageSecrets = ({ messages = [] }: WithReceivers): readonly SecretUse[] =>
  messages.flatMap(({ secrets }) => Object.values(secrets));

/** Everything secret that a run has with it: what its playbook reads, and what messages need. */
export const runSecrets = ({
  cluster,
  file,
  playbook,
  options,
}: RunWithSecrets): Promise<Result<SecretValues, Failure>> =>
  resolveSecrets(
    [...secretsOf(cluster, playbook, options.variables), ...messageSecrets(cluster)],
    dirname(file),
  );

type RunWithSecrets = Pick<DefinitionFile, 'cluster' | 'file'> & Pick<PreparedRun, 'playbook' | 'options'>;

/** The secrets of one run: some are for few, like the key that decrypts snapshots. */
export const secretsOf = (
  { secrets }: Pick<Cluster, 'secrets'>,
  playbook: string,
  variables: Readonly<Record<string, string>> = {},
): readonly SecretUse[] =>
  secrets.filter(
    ({ runs }) =>
      runs === undefined ||
      runs.some((run) => run.playbook === playbook && (run.given === undefined || run.given in variables)),
  );

/** Receivers as the server knows them: what is secret by the name of its variable. */
export const receiversOf = ({ messages = [] }: WithReceivers): readonly MessageReceiver[] =>
  messages.map(({ secrets, ...receiver }) => ({
    ...receiver,
    secrets: Object.fromEntries(Object.entries(secrets).map(([key, { variable }]) => [key, variable])),
  }));

/** What a run is told of its receivers, and the secrets that are left for its playbooks. */
export function messagesOf(
  { cluster, playbook, options }: Pick<PreparedRun, 'cluster' | 'playbook' | 'options'>,
  secrets: SecretValues,
): { readonly messages: RunMessages | undefined; readonly secrets: SecretValues } {
  const named = new Set(messageSecrets(cluster).map(({ variable }) => variable));
  const apart = (isTheirs: boolean): SecretValues =>
    new Map([...secrets].filter(([variable]) => named.has(variable) === isTheirs));
  const isWhole = [options.limit, options.tags, options.skipTags].every((words = []) => words.length === 0);
  const drift = options.check === true && isWhole && playbook === mainPlaybook(cluster);
  const receivers = receiversOf(cluster);
  const values = Object.fromEntries(
    [...apart(true)].map(([variable, secret]) => [variable, secret.reveal()]),
  );
  return {
    messages: receivers.length === 0 ? undefined : { drift, receivers, values },
    secrets: apart(false),
  };
}
