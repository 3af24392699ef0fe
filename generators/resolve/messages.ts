import type { Cluster, Receiver } from '../cluster/cluster.ts';
import { runResults } from '../cluster/messages.ts';
import type { SecretSource } from '../definition/schema/secret.ts';
import type { Definition } from '../definition/schema/schema.ts';
import { referenceOf } from './secrets.ts';

/** Who is told how runs end; nothing where the definition says nothing. */
export const resolveMessages = ({ messages: written }: Definition): Pick<Cluster, 'messages'> =>
  written === undefined ? {} : { messages: written.map(receiverOf) };

type ReceiverDefinition = NonNullable<Definition['messages']>[number];

function receiverOf({ name, on, email, ...kinds }: ReceiverDefinition): Receiver {
  const isWhole = kinds.opentelemetry !== undefined || kinds.ara !== undefined;
  const common = { name, on: on ?? (isWhole ? runResults : (['failed', 'drifted', 'slow'] as const)) };
  if (email !== undefined)
    return { ...common, kind: 'email', to: email.to, from: email.from ?? '', secrets: {} };
  const kind =
    (['slack', 'matrix', 'teams', 'opentelemetry', 'ara'] as const).find(
      (each) => kinds[each] !== undefined,
    ) ?? 'webhook';
  const sources: Readonly<Record<string, SecretSource | undefined>> = kinds[kind] ?? {};
  const uses = Object.entries(sources).flatMap(([key, source]) =>
    source === undefined
      ? []
      : [
          [
            key,
            {
              variable: variableOf(name, key),
              path: `messages.${name}.${key}`,
              reference: referenceOf(source),
            },
          ] as const,
        ],
  );
  return { ...common, kind, to: [], from: '', secrets: Object.fromEntries(uses) };
}

/** `message_ops_webhook_url`: names have no underscore, so two receivers never share one. */
const variableOf = (name: string, key: string): string =>
  `message_${name.replaceAll('-', '_')}_${key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
