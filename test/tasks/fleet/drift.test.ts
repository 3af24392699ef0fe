import { expect, test } from 'vitest';
import { expiriesIn } from '../../../tasks/fleet/drift.ts';
import type { Event } from '../../../tasks/runtime/events.ts';

const shown = (message: string): Event => ({
  type: 'host-finished',
  host: 'cp1',
  task: 'Show when the certificates expire',
  status: 'ok',
  message,
  diff: '',
  seconds: 0,
  counter: 7,
});

test('certificates are read from what their phase shows, the ended ones and those of authorities, too', () => {
  const lines = [
    'good admin.conf: 364 days, until Nov 22, 2027 12:00 UTC',
    'due etcd-server: -2 days, until Nov 20, 2026 12:00 UTC',
    'authority ca: 3649 days, until Nov 19, 2036 12:00 UTC',
    'stale kube-apiserver: started before its certificate was renewed',
  ];
  expect(expiriesIn(shown(lines.join('\n')))).toEqual([
    { certificate: 'admin.conf', host: 'cp1', days: 364 },
    { certificate: 'etcd-server', host: 'cp1', days: -2 },
    { certificate: 'ca', host: 'cp1', days: 3649 },
  ]);
});

test('what says nothing of certificates has none', () => {
  expect(expiriesIn(shown('3 days of rain'))).toEqual([]);
  expect(expiriesIn({ type: 'note', text: 'good admin.conf: 364 days' })).toEqual([]);
});
