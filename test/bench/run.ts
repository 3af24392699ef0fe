import { describe, exec, sshArgv, type Lab } from '../../lab/index.ts';
import { quote } from '../../tasks/runtime/command.ts';
import { must } from '../support/hosts/lab.ts';
import { command } from './command.ts';
import { atMost, seconds, seen, type Figure } from './figure.ts';
import { interleaved } from './interleaved.ts';
import { deploy, runSite, type Deployed } from './lab/deploy.ts';
import type { Bench } from './options.ts';

/** A run that is followed to its end, against the same playbook started by hand on the server; nothing has to change. */
export async function run({ lab: open, repetitions, say }: Bench): Promise<readonly Figure[]> {
  const bench = await open();
  say('run: first run');
  const deployed = await deploy(bench, 'standard');
  await giveSecret(bench.lab);
  say('run: followed, by hand, and by ansible-runner');
  const { ours, byHand, runner } = await interleaved(
    {
      ours: { seconds: () => followed(deployed) },
      byHand: { seconds: () => there(bench.lab, deployed, playbook) },
      runner: { seconds: () => there(bench.lab, deployed, ansibleRunner) },
    },
    repetitions,
  );
  say(`run: ${ours.toFixed(2)} s, by hand ${byHand.toFixed(2)} s, ansible-runner ${runner.toFixed(2)} s`);
  return [
    seen('run: ansible-playbook site.yml by hand', byHand, 's'),
    seen('run: ansible-runner run by hand', runner, 's'),
    seen('run: npx task run, whole process', ours, 's'),
    atMost('run: npx task run : by hand', ours / byHand, { unit: 'ratio', goal: 1.15 }),
    seen('run: ansible-runner : by hand', runner / byHand, 'ratio'),
  ];
}

async function followed(deployed: Deployed): Promise<number> {
  let changes = 0;
  const time = await seconds(async () => {
    changes = await runSite(deployed);
  });
  if (changes > 0) throw new Error(`${changes} changes in a run that had nothing to change`);
  return time;
}

const values = '/home/ops/bench-secrets.json';
const playbook = ['ansible-playbook', '--extra-vars', `@${values}`, 'site.yml'];
const ansibleRunner = [
  ...[
    'ansible-runner',
    'run',
    '/tmp/bench-runner',
    '--quiet',
    '--project-dir',
    '.',
    '--inventory',
    './inventory',
  ],
  ...['--playbook', 'site.yml', '--cmdline', `--extra-vars @${values}`],
];

/** Measured on the server itself, so that the login to it counts for us alone. */
async function there(lab: Lab, { remoteFolder }: Deployed, argv: readonly string[]): Promise<number> {
  const line = [
    `cd ${quote(remoteFolder)}`,
    'began=$(date +%s%N)',
    `${argv.map(quote).join(' ')} >/tmp/bench.log 2>&1 || { cat /tmp/bench.log; exit 1; }`,
    'echo $(($(date +%s%N) - began))',
  ].join(' && ');
  return Number(await command(must(sshArgv(lab, 'ansible', [line])))) / 1e9;
}

/** What each of our runs brings along lies in a private file for the person who works by hand. */
async function giveSecret(lab: Lab): Promise<void> {
  const { passwords, user } = describe(lab);
  const script = `install --mode=0600 --owner=${user} /dev/stdin ${values}`;
  const input = JSON.stringify({ vault_ssh_become_password: passwords.become });
  must(await exec(lab, 'ansible', ['sh', '-c', script], { input }));
}
