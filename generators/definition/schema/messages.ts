import * as z from 'zod';
import { runResults } from '../../cluster/messages.ts';
import { matching, name } from './judges.ts';
import { choice, list, map, oneOf, text } from './key.ts';
import { secret } from './secret.ts';

const mailbox = matching(
  /^[\w.+-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$/,
  'an address of e-mail',
  'ops@example.org',
);

const webhookUrl = (whose: string): ReturnType<typeof secret> =>
  secret(`${whose} It is a secret: whoever knows it can write there`, 'WEBHOOK_URL');

const kinds = {
  webhook: map(
    {
      webhookUrl: webhookUrl('The address that is sent a JSON document by POST.'),
      signingKey: secret(
        'Signs what is sent with HMAC-SHA256, so that the receiver knows who sent it',
        'WEBHOOK_KEY',
      ).optional(),
    },
    { description: 'A program of your own', examples: [{ webhookUrl: { env: 'WEBHOOK_URL' } }] },
  ).optional(),
  slack: map(
    { webhookUrl: webhookUrl('The incoming webhook of a channel.') },
    { description: 'Slack, or what takes its messages', examples: [{ webhookUrl: { env: 'SLACK_URL' } }] },
  ).optional(),
  matrix: map(
    {
      webhookUrl: webhookUrl(
        'The address to send to a room: `https://<server>/_matrix/client/v3/rooms/<room>/send/m.room.message`.',
      ),
      accessToken: secret('The access token of the user that writes', 'MATRIX_TOKEN'),
    },
    {
      description: 'A room of Matrix, without encryption',
      examples: [{ webhookUrl: { env: 'MATRIX_URL' }, accessToken: { env: 'MATRIX_TOKEN' } }],
    },
  ).optional(),
  teams: map(
    { webhookUrl: webhookUrl('The address of a workflow that posts to a channel.') },
    { description: 'Microsoft Teams, by a workflow', examples: [{ webhookUrl: { env: 'TEAMS_URL' } }] },
  ).optional(),
  opentelemetry: map(
    {
      endpoint: secret(
        'Where OTLP over HTTP is received; `/v1/traces` is put behind it. The standard name of its variable serves here too',
        'OTEL_EXPORTER_OTLP_ENDPOINT',
      ),
      headers: secret(
        'Headers to send, as `key=value,key=value`, for a receiver that wants a token',
        'OTEL_EXPORTER_OTLP_HEADERS',
      ).optional(),
    },
    {
      description: 'A receiver of traces: the run, its plays and tasks, and each host of those as spans',
      examples: [{ endpoint: { env: 'OTEL_EXPORTER_OTLP_ENDPOINT' } }],
    },
  ).optional(),
  ara: map(
    {
      server: secret('The address of its interface, without `/api`', 'ARA_API_SERVER'),
      username: secret('Who writes there, where it asks', 'ARA_API_USERNAME').optional(),
      password: secret('The password of that user', 'ARA_API_PASSWORD').optional(),
    },
    {
      description: "ARA's server, which records the run, its plays, tasks, hosts and their results",
      examples: [{ server: { env: 'ARA_API_SERVER' } }],
    },
  ).optional(),
  email: map(
    {
      to: list(text(mailbox, { description: 'A receiver', examples: ['ops@example.org'] }), {
        description: 'Who gets it',
        examples: [['ops@example.org']],
      }),
      from: text(mailbox, {
        description: 'Who it is from',
        examples: ['playsmith@example.org'],
        absent: 'as the sendmail of the Ansible server says',
      }).optional(),
    },
    {
      description: "E-mail, by the `sendmail` of the Ansible server, wherever that is set up to deliver",
      examples: [{ to: ['ops@example.org'] }],
    },
  ).optional(),
};

const receiver = oneOf(
  {
    name: text(name, {
      description: 'Its name, in warnings and in the variables of its secrets',
      examples: ['ops'],
    }),
    ...kinds,
    on: list(choice([...runResults], { description: 'A result', examples: ['failed'] }), {
      description:
        'What it is told: `failed` (also when hosts did not answer, or a run was lost), `drifted`, `slow` (a drill beyond its limit), `cancelled`, `successful`',
      examples: [['failed', 'drifted']],
      absent: '`failed`, `drifted` and `slow`; all for `opentelemetry` and `ara`',
    }).optional(),
  },
  {
    description: 'One receiver, of one kind',
    examples: [{ name: 'ops', email: { to: ['ops@example.org'] }, on: ['failed', 'drifted'] }],
  },
  Object.keys(kinds),
);

export const messages = list(receiver, {
  description:
    'Who is told how runs end. The Ansible server sends it when the run is over, whether a client follows it or not',
  examples: [[{ name: 'ops', email: { to: ['ops@example.org'] } }]],
  absent: 'nobody',
});

export type MessagesDefinition = z.output<typeof messages>;
