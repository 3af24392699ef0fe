import { expect, test } from 'vitest';
import { changed, loaded, said } from './support.ts';

const kubeadm = 'installer: { kubeadm: { version: 1.35.9 } }\n';
const defined = (schedule: string, more = `${kubeadm}drills: {}\n`): string =>
  changed(['network:\n', `${more}schedule: ${schedule}\nnetwork:\n  plugin: static-routes\n`]);
const jobs = (...all: readonly string[]): string => `{ jobs: [${all.join(', ')}] }`;

test('one time or several are a list; what was missed is made up for, but no drill is', () => {
  const { cluster } = loaded(
    defined(
      jobs(
        '{ job: drift, onCalendar: daily, randomizedDelay: 30min }',
        '{ job: drill-vip, onCalendar: [Sat 23:00 UTC, Sun 23:00 UTC] }',
      ),
    ),
  );
  expect(cluster.schedule).toEqual({
    secretsFolder: '',
    jobs: [
      { name: 'drift', onCalendar: ['daily'], randomizedDelay: '30min', persistent: true },
      {
        ...{ name: 'drill-vip', onCalendar: ['Sat 23:00 UTC', 'Sun 23:00 UTC'] },
        ...{ randomizedDelay: '0', persistent: false },
      },
    ],
  });
  expect(loaded(changed()).cluster.schedule).toBeUndefined();
});

test.each([
  ['{ job: drift, onCalendar: often }', /"often" is no calendar event of systemd → daily, /],
  ['{ job: drift, onCalendar: daily, randomizedDelay: 1 hour }', /"1 hour" is not a time span → 30min/],
  ['{ job: reset, onCalendar: daily }', /`job` cannot be "reset" → drift/],
])('%s is refused', (job, expected) => {
  expect(said(defined(jobs(job)))).toEqual([expect.stringMatching(expected)]);
});

const timed = (event: string): string => said(defined(jobs(`{ job: drift, onCalendar: "${event}" }`))).join();

// systemd refuses a step that leads nowhere, and says of the last three that they never come.
test.each([
  ...['0/24:00', '00:0/60', '00:00:0/60', '*-1/12-1', '*-*-1/31', '19/7:00', '00:59/1'],
  ...['*-02-30', '*-2,4-31 02:00', '*-4-31..31'],
])('no timer can begin at %s', (event) => {
  expect(timed(event)).toContain(`"${event}" is no calendar event of systemd → daily`);
});

test.each([
  ...['0/23:00', '00:0/59', '*-1/11-1', '*-*-1/30', '*-02-29', '*-4,5-31 02:00'],
  ...['Mon *-*-31', '*-*-20..31/9', '10..12/24:00', '19/4:00'],
])('a timer can begin at %s', (event) => {
  expect(timed(event)).not.toContain('calendar');
});

const daily = (name: string): string => `{ job: ${name}, onCalendar: daily }`;

test.each([
  ['etcd-backup', '', 'only a cluster of kubeadm has it'],
  ['verify', '', 'nobody here installs Kubernetes'],
  ['drill-vip', kubeadm, 'the definition has no `drills`; `drills: {}` is enough'],
  ['drill-storage', `${kubeadm}drills: {}\n`, 'there is no storage server'],
])('%s cannot run where the cluster does not have it', (name, more, reason) => {
  expect(said(defined(jobs(daily(name)), more))).toEqual([
    expect.stringContaining(`\`${name}\` cannot run: ${reason} → remove the job`),
  ]);
});

test('a job stands once', () => {
  expect(said(defined(jobs(daily('drift'), daily('drift'))))).toEqual([
    expect.stringContaining('`drift` stands twice → once, with a list of times'),
  ]);
});

const password = `${kubeadm}containerd: { registries: [{ host: registry.example.org, user: u, password: { env: WORD } }] }\n`;

test('what needs a secret has to find it on the server', () => {
  expect(said(defined(jobs(daily('drift')), password))).toContainEqual(
    expect.stringMatching(
      /no client fetches secrets for what runs at set times, and runs need containerd\.registries\[0\]\.password → secretsFolder: /,
    ),
  );
  const kept = `{ secretsFolder: /etc/playsmith/edge-a, jobs: [${daily('drift')}] }`;
  expect(said(defined(kept, password)).join()).not.toContain('no client');
});
