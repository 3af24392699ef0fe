import { expect, test } from 'vitest';
import { changed, loaded, said } from './support.ts';

const defined = (messages: string, more = ''): string =>
  changed(['network:\n', `${more}messages: ${messages}\nnetwork:\n`]);

test('each receiver is of one kind; what is secret has a variable that names it', () => {
  const { cluster } = loaded(
    defined(
      '[{ name: desk-1, webhook: { webhookUrl: { env: U }, signingKey: { file: k } }, on: [successful] }, { name: ops, email: { to: [a@example.org] } }]',
    ),
  );
  expect(cluster.messages).toEqual([
    {
      ...{ name: 'desk-1', kind: 'webhook', on: ['successful'], to: [], from: '' },
      secrets: {
        webhookUrl: {
          variable: 'message_desk_1_webhook_url',
          path: 'messages.desk-1.webhookUrl',
          reference: { kind: 'env', name: 'U' },
        },
        signingKey: {
          variable: 'message_desk_1_signing_key',
          path: 'messages.desk-1.signingKey',
          reference: { kind: 'file', path: 'k' },
        },
      },
    },
    {
      ...{ name: 'ops', kind: 'email', on: ['failed', 'drifted', 'slow'] },
      ...{ to: ['a@example.org'], from: '', secrets: {} },
    },
  ]);
  expect(loaded(changed()).cluster.messages).toBeUndefined();
  // No playbook reads them.
  expect(cluster.secrets).toEqual([]);
});

test('a receiver of traces has every run, and the standard names of variables fit', () => {
  const { cluster } = loaded(
    defined('[{ name: traces, opentelemetry: { endpoint: { env: OTEL_EXPORTER_OTLP_ENDPOINT } } }]'),
  );
  expect(cluster.messages).toEqual([
    {
      ...{ name: 'traces', kind: 'opentelemetry', to: [], from: '' },
      on: ['successful', 'failed', 'cancelled', 'drifted', 'slow'],
      secrets: {
        endpoint: {
          variable: 'message_traces_endpoint',
          path: 'messages.traces.endpoint',
          reference: { kind: 'env', name: 'OTEL_EXPORTER_OTLP_ENDPOINT' },
        },
      },
    },
  ]);
});

test.each([
  [
    '[{ name: ops }]',
    /exactly one of webhook, slack, matrix, teams, opentelemetry, ara, email belongs here, not none/,
  ],
  [
    '[{ name: ops, email: { to: [a@example.org] }, slack: { webhookUrl: { env: U } } }]',
    /exactly one of .* belongs here, not slack and email/,
  ],
  ['[{ name: ops, email: { to: ["a@b.c\\nBcc: x@y.z"] } }]', /this text has more than one line/],
  ['[{ name: ops, slack: { webhookUrl: https://hooks.example.org/T1/secret } }]', /webhookUrl/],
  [
    '[{ name: ops, email: { to: [a@example.org] } }, { name: ops, email: { to: [b@example.org] } }]',
    /another receiver is called ops as well/,
  ],
])('%s is refused, and what should be a secret is not shown', (messages, expected) => {
  const problems = said(defined(messages)).join('\n');
  expect(problems).toMatch(expected);
  expect(problems).not.toContain('T1/secret');
});

test('what runs at set times finds the addresses of messages on the server, or mail alone', () => {
  const kubeadm = 'installer: { kubeadm: { version: 1.35.9 } }\n';
  const scheduled = 'schedule: { jobs: [{ job: drift, onCalendar: daily }] }\n';
  const slack = '[{ name: chat, slack: { webhookUrl: { env: U } } }]';
  expect(said(defined(slack, kubeadm + scheduled)).join()).toContain(
    'runs need messages[0].slack.webhookUrl',
  );
  const mail = '[{ name: ops, email: { to: [a@example.org] } }]';
  expect(said(defined(mail, kubeadm + scheduled)).join()).not.toContain('no client fetches');
});
